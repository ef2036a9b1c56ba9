import { type Static, Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { MfaPending, TokenResponse } from './sessions.ts'

export const MAILED_CODE_DIGITS = 6
export const MAILED_CODE_MINUTES = 10

export const MailedCodeRequest = Type.Object({
  attempt_token: Type.String({
    description:
      'A secret of the client that asked: the code works together with it only. Keep it until the user has typed the code.',
  }),
  expires_in: Type.Integer({ description: 'Seconds until the code expires.' }),
})
export type MailedCodeRequest = Static<typeof MailedCodeRequest>

export const SignInWithCode = Type.Object({
  attempt_token: Type.String({ minLength: 1, maxLength: 100 }),
  code: Type.String({
    minLength: 1,
    maxLength: 20,
    description: `The ${MAILED_CODE_DIGITS} digits from the email; spaces are ignored.`,
    examples: ['012345'],
  }),
})
export type SignInWithCode = Static<typeof SignInWithCode>

const tag = 'Account'

export const mailSignInCode = endpoint({
  name: 'mailSignInCode',
  method: 'POST',
  path: '/api/auth/code',
  tag,
  summary: 'Mail a code to sign in with if the account exists; the response does not reveal it',
  credential: 'none',
  body: Type.Object({ email: Type.String({ examples: ['ada@example.com'] }) }),
  success: [200, MailedCodeRequest],
  errors: { 400: ['invalid_email'], 429: ['auth_rate_limited'] },
  authLimited: true,
})

export const signInWithCode = endpoint({
  name: 'signInWithCode',
  method: 'POST',
  path: '/api/auth/code/signin',
  tag,
  summary: 'Sign in with a mailed code; a second factor is asked for as after a password',
  credential: 'none',
  body: SignInWithCode,
  success: [200, Type.Union([TokenResponse, MfaPending])],
  errors: {
    401: ['mailed_code_wrong'],
    403: ['account_disabled'],
    429: ['auth_rate_limited', 'sign_in_locked'],
  },
  authLimited: true,
})
