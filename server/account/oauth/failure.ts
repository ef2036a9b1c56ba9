/** Why a sign-in through a provider came to nothing, as a frontend is told in `error=`. */
export const failures = {
  access_denied: 'You did not allow the sign-in.',
  invalid_state: 'This sign-in has expired, was used already, or was begun in another browser.',
  provider_error: 'The provider could not tell us who you are. Try again in a moment.',
  email_required: 'The provider did not tell us your email address, which an account needs.',
  email_not_allowed: 'An account cannot have the email address that the provider told us.',
  account_exists:
    'There is an account with this email address already. Sign in to it in the way you did before; a provider opens it only once the address is verified on both sides.',
  account_disabled: 'This account is disabled.',
} as const

export type FailureCode = keyof typeof failures

/** What a provider says in its own words is logged only where it has the form of an error code. */
export const refusal = (error: string | undefined, cause?: unknown): Error => {
  const word = error && /^[a-z_]{1,40}$/.test(error) ? error : 'something else'
  return new Error(`the provider answered ${word}`, { cause })
}

/** Ends a sign-in; the cause is only logged. */
export class OAuthFailure extends Error {
  override name = 'OAuthFailure'
  constructor(
    readonly code: FailureCode,
    cause?: unknown,
  ) {
    super(code, { cause })
  }
}
