import { changePassword, forgotPassword, resetPassword } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { PasswordService } from '../password.ts'

export const passwordRoutes = (mount: Mount, passwords: PasswordService): void => {
  mount(forgotPassword, async ({ body }) => {
    await passwords.forgot(body.email)
    return { message: 'If an account has this address, a reset link was sent to it' }
  })
  mount(resetPassword, async ({ body, client }) => {
    await passwords.reset(body, client)
    return { message: 'Password changed; sign in with the new password' }
  })
  mount(changePassword, async ({ caller, body, client }) => {
    await passwords.change(caller, body, client)
    return { message: 'Password changed' }
  })
}
