import { isIP } from 'node:net'
import type {
  AuthenticationResponse,
  RegistrationResponse,
} from '../../../../shared/contract/passkeys.ts'
import type { UserRow } from '../../users/table.ts'
import type { ChallengePurpose, IssuedChallenge, PasskeyChallenges } from './challenges.ts'
import { passkeyError } from './errors.ts'
import type { PasskeyRow } from './table.ts'

const MINUTE_MS = 60_000
const REGISTRATION_MS = 10 * MINUTE_MS
/** A sign-in page has its challenge while it is open. */
const SIGN_IN_MS = 30 * MINUTE_MS

/** Options for the browser, as JSON. */
type Options = Record<string, unknown>

/** A new credential, of which the authenticator has proved that it holds the key. */
export interface NewCredential
  extends Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'isSynced'> {
  challenge: IssuedChallenge
}

/** The state of a credential after a correct signature. */
export interface Assertion extends Pick<PasskeyRow, 'counter' | 'isSynced'> {
  challenge: IssuedChallenge
}

/**
 * The ceremonies of Web Authentication Level 3 (section 7). The relying party is the host of
 * `SVC_BASE_URL`, and its origin is the only one that is accepted. User verification is required, so that a
 * passkey is two factors: the device, and a PIN or biometric.
 */
export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>

export const createPasskeyCeremonies = (baseUrl: string, challenges: PasskeyChallenges) => {
  const { hostname: rpID, origin } = new URL(baseUrl)
  /** An IPv6 address has brackets. */
  const isAvailable = isIP(rpID) === 0 && !rpID.startsWith('[')
  const checkAvailable = () => {
    if (!isAvailable) throw passkeyError('passkeys_unavailable')
  }
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }
  return {
    isAvailable,

    /** @throws ApiError 409 when passkeys are not available. */
    async registrationOptions(
      { id, email }: Pick<UserRow, 'id' | 'email'>,
      existing: readonly PasskeyRow[],
    ): Promise<Options> {
      checkAvailable()
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: 'svc',
        rpID,
        userName: email,
        userID: userHandle(id),
        challenge: challenges.create(`register ${id}`, REGISTRATION_MS),
        timeout: REGISTRATION_MS,
        attestationType: 'none',
        excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { ...options }
    },

    /** @throws ApiError 409 when passkeys are not available, 400 for a response that is not valid. */
    async verifyRegistration(
      userId: string,
      response: RegistrationResponse,
    ): Promise<NewCredential> {
      checkAvailable()
      const { verifyRegistrationResponse } = await library()
      const challenge = expectChallenge(challenges, `register ${userId}`)
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...publicKeyCredential, ...response, rawId: response.id },
        expectedChallenge: challenge.expectedChallenge,
        ...expected,
      }).catch((cause) => {
        throw challenge.issued()
          ? passkeyError('passkey_invalid', cause)
          : passkeyError('passkey_challenge_ended')
      })
      const issued = challenge.issued()
      if (!registrationInfo || !issued) throw passkeyError('passkey_invalid')
      const { credential, credentialBackedUp: isSynced } = registrationInfo
      const publicKey = Buffer.from(credential.publicKey).toString('base64url')
      const { id: credentialId, counter } = credential
      return { challenge: issued, credentialId, publicKey, counter, isSynced }
    },

    /**
     * Names no credentials: the authenticator offers those that it has for this server.
     * @throws ApiError 409 when passkeys are not available.
     */
    signInOptions(): Options {
      checkAvailable()
      return {
        challenge: Buffer.from(challenges.create('sign-in', SIGN_IN_MS)).toString('base64url'),
        rpId: rpID,
        timeout: SIGN_IN_MS,
        userVerification: 'required',
      }
    },

    /** @throws ApiError 409 when passkeys are not available, 401 for a response that is not valid. */
    async verifySignIn(
      passkey: PasskeyRow,
      { id, response }: AuthenticationResponse,
    ): Promise<Assertion> {
      checkAvailable()
      const { verifyAuthenticationResponse } = await library()
      const challenge = expectChallenge(challenges, 'sign-in')
      const { userHandle: handle, ...signed } = response
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...publicKeyCredential, id, rawId: id, response: signed },
        expectedChallenge: challenge.expectedChallenge,
        // The counter is compared when it is stored, so that parallel sign-ins cannot use it twice.
        credential: { id, publicKey: bytesOf(passkey.publicKey), counter: 0 },
        ...expected,
      }).catch((cause) => {
        throw passkeyError('passkey_refused', cause)
      })
      const issued = challenge.issued()
      const isOfUser = !handle || Buffer.from(userHandle(passkey.userId)).equals(bytesOf(handle))
      if (!verified || !issued || !isOfUser) throw passkeyError('passkey_refused')
      const { newCounter: counter, credentialBackedUp: isSynced } = authenticationInfo
      return { challenge: issued, counter, isSynced }
    },
  }
}

/** Accepts a challenge of this server, and keeps it for its consumption. */
const expectChallenge = (
  challenges: Pick<PasskeyChallenges, 'read'>,
  purpose: ChallengePurpose,
) => {
  let issued: IssuedChallenge | undefined
  return {
    expectedChallenge(challenge: string) {
      issued = challenges.read(challenge, purpose)
      return issued !== undefined
    },
    issued: () => issued,
  }
}

/** Loaded on first use, because few requests need it. */
const library = () => import('@simplewebauthn/server')

/** The members of a response that are the same in each. */
const publicKeyCredential = { type: 'public-key', clientExtensionResults: {} } as const

/** The id of the user at the authenticator. It names no person (section 14.6.1). */
const userHandle = (userId: string) => new TextEncoder().encode(userId)

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
