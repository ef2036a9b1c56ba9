import { type Static, Type } from '@sinclair/typebox'
import { AnyObject, Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { TokenResponse } from './sessions.ts'

const Name = () =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    trim: true,
    description: 'A label for the passkey.',
    examples: ['phone'],
  })

export const Passkey = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    is_synced: Type.Boolean({
      description: 'Whether the authenticator keeps a backup, so that other devices have it too.',
    }),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp()),
  },
  { $id: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

/** The longest base64url text of a response; an attestation without a certificate has about 500. */
const MAX_ENCODED_LENGTH = 16_384

const Encoded = (maxLength = MAX_ENCODED_LENGTH) =>
  Type.String({ minLength: 1, maxLength, examples: ['AAAA'] })

/** A credential id has up to 1,023 bytes (Web Authentication Level 3, section 4). */
const CredentialId = () => Encoded(1_364)

/** The longest client data: the challenge, the origin and the members that browsers add. */
const ClientData = () => Encoded(4_096)

export const RegistrationResponse = Type.Object(
  {
    id: CredentialId(),
    response: Type.Object({
      clientDataJSON: ClientData(),
      attestationObject: Encoded(),
    }),
  },
  { description: 'The `RegistrationResponseJSON` of the browser (Web Authentication Level 3).' },
)
export type RegistrationResponse = Static<typeof RegistrationResponse>

export const AuthenticationResponse = Type.Object(
  {
    id: CredentialId(),
    response: Type.Object({
      clientDataJSON: ClientData(),
      authenticatorData: Encoded(),
      signature: Encoded(),
      userHandle: Type.Optional(Nullable(Encoded(128))),
    }),
  },
  { description: 'The `AuthenticationResponseJSON` of the browser (Web Authentication Level 3).' },
)
export type AuthenticationResponse = Static<typeof AuthenticationResponse>

export const PasskeyRegistration = Type.Object({
  options: AnyObject({
    description: 'The `PublicKeyCredentialCreationOptionsJSON` for the browser; valid 10 minutes.',
  }),
})
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

export const PasskeySignIn = Type.Object({
  options: AnyObject({
    description: 'The `PublicKeyCredentialRequestOptionsJSON` for the browser; valid 30 minutes.',
  }),
})
export type PasskeySignIn = Static<typeof PasskeySignIn>

export const AddPasskey = Type.Object({ name: Name(), response: RegistrationResponse })
export type AddPasskey = Static<typeof AddPasskey>

export const RenamePasskey = Type.Object({ name: Name() })

export const SignInWithPasskey = Type.Object({ response: AuthenticationResponse })

export const VerifyPasskey = Type.Object({
  partial_token: Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9…'] }),
  response: AuthenticationResponse,
})
export type VerifyPasskey = Static<typeof VerifyPasskey>

const tag = 'Passkeys'
const params = Type.Object({ passkey_id: Uuid() })

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  method: 'GET',
  path: '/api/auth/passkeys',
  tag,
  summary: 'List the caller’s passkeys, newest first',
  credential: 'jwt',
  success: [200, Type.Array(Passkey)],
})

export const startPasskeyRegistration = endpoint({
  name: 'startPasskeyRegistration',
  method: 'POST',
  path: '/api/auth/passkeys/options',
  tag,
  summary: 'Get the options that a browser creates a passkey with',
  credential: 'jwt',
  success: [200, PasskeyRegistration],
  errors: { 409: ['passkeys_unavailable'] },
})

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/auth/passkeys',
  tag,
  summary: 'Add a passkey that the browser created',
  credential: 'jwt',
  body: AddPasskey,
  success: [201, Passkey],
  errors: {
    400: ['passkey_invalid', 'passkey_challenge_ended'],
    403: ['org_policy'],
    409: ['passkey_exists', 'cap_reached', 'passkeys_unavailable'],
  },
})

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/api/auth/passkeys/{passkey_id}',
  tag,
  summary: 'Rename a passkey',
  credential: 'jwt',
  params,
  body: RenamePasskey,
  success: [200, Passkey],
  affects: ['listPasskeys'],
  errors: { 404: ['passkey_not_found'] },
})

export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/api/auth/passkeys/{passkey_id}',
  tag,
  summary: 'Remove a passkey, unless it is the only sign-in method',
  credential: 'jwt',
  params,
  success: [204, null],
  affects: ['listPasskeys'],
  errors: {
    400: ['last_sign_in_method'],
    403: ['org_policy'],
    404: ['passkey_not_found'],
  },
})

export const startPasskeySignIn = endpoint({
  name: 'startPasskeySignIn',
  method: 'POST',
  path: '/api/auth/passkeys/signin/options',
  tag,
  summary: 'Get the options that a browser signs in with a passkey with',
  credential: 'none',
  success: [200, PasskeySignIn],
  errors: { 409: ['passkeys_unavailable'] },
})

const signInErrors = {
  401: ['passkey_refused', 'passkey_copied'],
  403: ['account_disabled'],
  409: ['passkeys_unavailable'],
  429: ['passkey_sign_ins_rate_limited'],
}

export const signInWithPasskey = endpoint({
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/api/auth/passkeys/signin',
  tag,
  summary: 'Sign in with a passkey; it needs no second factor',
  credential: 'none',
  body: SignInWithPasskey,
  success: [200, TokenResponse],
  errors: signInErrors,
})

export const verifyPasskey = endpoint({
  name: 'verifyPasskey',
  method: 'POST',
  path: '/api/auth/passkeys/verify',
  tag,
  summary: 'Complete a sign-in with a passkey instead of a code',
  credential: 'none',
  body: VerifyPasskey,
  success: [200, TokenResponse],
  errors: { ...signInErrors, 401: [...signInErrors[401], 'challenge_ended'] },
})
