import { defineErrors } from '../../../platform/http/error.ts'

export const oauthSignInError = defineErrors({
  oauth_provider_unknown: { status: 400, detail: 'Unknown provider, or not configured' },
  oauth_origin_not_allowed: { status: 400, detail: 'Origin not allowed' },
  oauth_provider_unreachable: (cause: unknown) => ({
    status: 503,
    detail: 'The provider cannot be reached',
    cause,
  }),
  oauth_state_invalid: { status: 400, detail: 'Invalid state' },
  oauth_account_already_connected: { status: 409, detail: 'Provider already connected' },
  oauth_provider_not_connected: { status: 404, detail: 'Provider not connected' },
})

/** The values of `error=` in the URL of a failed sign-in, with the text of the page. */
export const failureMessages = {
  access_denied: 'You did not allow the sign-in.',
  invalid_state: 'This sign-in has expired, was used already, or started in another browser.',
  provider_error: 'The provider did not confirm who you are. Try again in a moment.',
  email_required: 'The provider did not share your email address, which an account requires.',
  email_not_allowed: 'The email address that the provider shared cannot be used for an account.',
  account_exists:
    'An account with this email address exists already. Sign in to it as you did before. A provider opens an existing account only if both sides have verified the address.',
  not_connected:
    'An account with this email address exists already. Sign in to it as you did before, then connect the provider in the settings.',
  clock_skew:
    'The clocks of the provider and of this server differ too much. Ask the operator to correct them.',
  sign_up_refused:
    'This server does not let you create an account. Sign in to an account that you have, or ask its operator for one.',
  account_disabled: 'This account is disabled.',
  connected_elsewhere: 'Another account is connected to this account of the provider.',
  session_ended: 'You were signed out, or another user signed in. Sign in and try again.',
} as const

export type FailureCode = keyof typeof failureMessages

/** @param error what the provider sent; logged only if it has the format of an OAuth error code. */
export const providerRejection = (error: string | undefined, cause?: unknown): Error => {
  const code = error && /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error'
  return new Error(`the provider returned ${code}`, { cause })
}

/** Ends a sign-in. The cause is only logged. */
export class OAuthFailure extends Error {
  override name = 'OAuthFailure'
  constructor(
    readonly code: FailureCode,
    cause?: unknown,
  ) {
    super(code, { cause })
  }
}
