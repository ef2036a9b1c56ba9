import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse, OneOf } from './common.ts'
import { endpoint } from './endpoint.ts'
import { SIGN_UP_REFUSALS } from './sign-up.ts'

export const VerifyEmail = Type.Object({
  token: Type.String({
    minLength: 1,
    badRequest: 'Token is required',
    description: 'The token from the verification link.',
    examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'],
  }),
  take_over: Type.Optional(
    Type.Boolean({
      description:
        'Whether the owner of the address did not create the account: its password, API keys and other credentials end.',
    }),
  ),
})
export type VerifyEmail = Static<typeof VerifyEmail>

export const ChangeVerificationEmail = Type.Object({
  email: Type.String({ minLength: 5, maxLength: 255, trim: true, examples: ['ada@example.org'] }),
})
export type ChangeVerificationEmail = Static<typeof ChangeVerificationEmail>

export const EmailVerification = Type.Object({
  verified: Type.Boolean(),
  delivery: OneOf(['mail', 'outbox'], {
    description:
      '`mail`: links are mailed; `outbox`: the server has no mail server, and writes emails to files that its operator reads.',
  }),
  can_verify_here: Type.Boolean({
    description: 'Whether `verifyHere` verifies the address without a link.',
  }),
})
export type EmailVerification = Static<typeof EmailVerification>

const tag = 'Email verification'

export const emailVerification = endpoint({
  name: 'emailVerification',
  method: 'GET',
  path: '/api/auth/verification',
  tag,
  summary: 'Get whether the address is verified, and how it can be',
  credential: 'jwt',
  success: [200, EmailVerification],
})

export const verifyHere = endpoint({
  name: 'verifyHere',
  method: 'POST',
  path: '/api/auth/verification/here',
  tag,
  summary: 'Verify the address of the first account of a server on this machine that sends no mail',
  credential: 'jwt',
  success: [200, MessageResponse],
  affects: ['me', 'currentUser', 'emailVerification'],
  errors: { 400: ['email_already_verified'], 403: ['verification_needs_link'] },
})

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  tag,
  summary: 'Verify an email address with the token of a verification link',
  credential: 'none',
  body: VerifyEmail,
  success: [200, MessageResponse],
  errors: {
    400: ['bad_request_value', 'verification_token_malformed'],
    409: ['email_taken'],
    410: ['verification_link_invalid'],
  },
})

export const resendVerification = endpoint({
  name: 'resendVerification',
  method: 'POST',
  path: '/api/auth/resend-verification',
  tag,
  summary: 'Send the verification link again',
  credential: 'jwt',
  success: [200, MessageResponse],
  errors: {
    400: ['email_already_verified'],
    429: ['auth_rate_limited', 'email_links_rate_limited'],
  },
  authLimited: true,
})

export const changeVerificationEmail = endpoint({
  name: 'changeVerificationEmail',
  method: 'POST',
  path: '/api/auth/change-verification-email',
  tag,
  summary: 'Change an unverified email address; it takes effect when the new link is used',
  credential: 'jwt',
  body: ChangeVerificationEmail,
  success: [200, MessageResponse],
  errors: {
    400: ['email_already_verified', 'invalid_email', 'disposable_email', 'unreachable_email'],
    403: SIGN_UP_REFUSALS,
    409: ['email_taken'],
    429: ['email_links_rate_limited'],
  },
})
