import { signIn, signUp, verifyMfa } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { RegistrationService } from './registration.ts'
import type { SignInService } from './service.ts'

export const signInRoutes = (
  mount: Mount,
  registration: RegistrationService,
  signIns: SignInService,
): void => {
  mount(signUp, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await registration.signUp(body, client)
    refreshCookie.set(refreshToken)
    return response
  })
  mount(signIn, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await signIns.signIn(body, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return response
  })
  mount(verifyMfa, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await signIns.verifyCode(body, client)
    refreshCookie.set(refreshToken)
    return response
  })
}
