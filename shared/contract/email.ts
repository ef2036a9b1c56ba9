import { Message } from '../schemas/common.ts'
import { ChangeVerificationEmail, VerifyEmail } from '../schemas/email.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Email verification'

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  tag,
  summary: 'Confirm an address with the token of a verification link',
  credential: 'none',
  body: VerifyEmail,
  success: [200, Message],
  errors: [400, 409, 410],
})

export const resendVerification = endpoint({
  name: 'resendVerification',
  method: 'POST',
  path: '/api/auth/resend-verification',
  tag,
  summary: 'Mail the verification link again',
  credential: 'jwt',
  success: [200, Message],
  errors: [400, 429],
  authLimited: true,
})

export const changeVerificationEmail = endpoint({
  name: 'changeVerificationEmail',
  method: 'POST',
  path: '/api/auth/change-verification-email',
  tag,
  summary: 'Correct the address while it is unverified; takes effect when the new link is used',
  credential: 'jwt',
  body: ChangeVerificationEmail,
  success: [200, Message],
  errors: [400, 409, 429],
})
