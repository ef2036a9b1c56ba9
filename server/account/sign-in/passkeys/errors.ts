import { defineErrors } from '../../../platform/http/error.ts'

const headers = { 'www-authenticate': 'Bearer' }

export const passkeyError = defineErrors({
  passkeys_unavailable: {
    status: 409,
    detail: 'Passkeys need a host name: SVC_BASE_URL has an IP address',
  },
  passkey_invalid: (cause?: unknown) => ({
    status: 400,
    detail: 'The response of the authenticator is not valid',
    cause,
  }),
  passkey_challenge_ended: {
    status: 400,
    detail: 'This request for a passkey has expired or was used already. Try again',
  },
  passkey_exists: { status: 409, detail: 'This passkey belongs to an account already' },
  passkey_not_found: { status: 404, detail: 'Passkey not found' },
  passkey_refused: (cause?: unknown) => ({
    status: 401,
    detail: 'The passkey was not accepted. Try again, or sign in another way',
    headers,
    cause,
  }),
  passkey_copied: {
    status: 401,
    detail:
      'A copy of this passkey may exist, because its counter went back. Sign in another way and remove it',
    headers,
  },
})
