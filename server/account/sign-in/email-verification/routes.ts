import {
  changeVerificationEmail,
  resendVerification,
  verifyEmail,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { EmailVerificationService } from '../email-verification.ts'

export const emailVerificationRoutes = (mount: Mount, emails: EmailVerificationService): void => {
  mount(verifyEmail, async ({ body, client }) => {
    await emails.verify(body.token, client)
    return { message: 'Email address confirmed' }
  })
  mount(resendVerification, async ({ caller }) => {
    await emails.resend(caller)
    return { message: 'Verification email sent' }
  })
  mount(changeVerificationEmail, async ({ caller, body }) => {
    await emails.change(caller, body.email)
    return { message: 'Verification email sent to the new address' }
  })
}
