import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse } from './common.ts'
import { ChangeVerificationEmail, VerifyEmail } from './email-verification.ts'
import { endpoint } from './endpoint.ts'

export const ChangeEmail = Type.Object(
  {
    email: ChangeVerificationEmail.properties.email,
    password: Type.Optional(
      Type.String({
        description:
          'The password. An account without one needs a session that began in the last 15 minutes.',
      }),
    ),
  },
  { examples: [{ email: 'ada@example.org', password: 'correct horse battery staple' }] },
)
export type ChangeEmail = Static<typeof ChangeEmail>

const LinkToken = Type.Object({
  token: Type.String({
    ...VerifyEmail.properties.token,
    description: 'The token from the link.',
  }),
})

const tag = 'Email verification'
const malformed = ['bad_request_value', 'verification_token_malformed']
const linkErrors = {
  400: malformed,
  409: ['email_taken'],
  410: ['verification_link_invalid'],
}

export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/auth/email/change',
  tag,
  summary:
    'Change the verified email address; it takes effect when the link at the new address is used',
  credential: 'jwt',
  body: ChangeEmail,
  success: [200, MessageResponse],
  requiresVerifiedEmail: true,
  errors: {
    400: [
      'invalid_email',
      'disposable_email',
      'unreachable_email',
      'email_unchanged',
      'email_change_password_missing',
      'current_password_wrong',
    ],
    403: ['sign_up_domain', 'email_managed', 'recent_sign_in_needed'],
    429: ['email_links_rate_limited', 'password_checks_rate_limited'],
  },
})

export const confirmEmailChange = endpoint({
  name: 'confirmEmailChange',
  method: 'POST',
  path: '/api/auth/email/confirm',
  tag,
  summary: 'Change the email address with the token of the link at the new address',
  credential: 'none',
  body: LinkToken,
  success: [200, MessageResponse],
  errors: {
    ...linkErrors,
    400: [...malformed, 'unreachable_email'],
    403: ['sign_up_domain', 'email_managed', 'account_disabled'],
  },
})

export const undoEmailChange = endpoint({
  name: 'undoEmailChange',
  method: 'POST',
  path: '/api/auth/email/undo',
  tag,
  summary:
    'Restore the email address with the token of the link at the former address; ends what opens the account',
  credential: 'none',
  body: LinkToken,
  success: [200, MessageResponse],
  errors: linkErrors,
})
