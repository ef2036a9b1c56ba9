import { hkdfSync } from 'node:crypto'
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'

export const STATE_SECONDS = 600

/** What a sign-in has to know again when the browser comes back from the provider. */
export interface OAuthState {
  id: string
  provider: string
  /** Of PKCE: for the provider's token endpoint alone. */
  verifier: string
  /** SHA-256 of the cookie of the browser that set out. */
  browserHash: string
  /** The app to return to; absent: a page of our own. */
  origin?: string
  /** The device login to return to; empty before somebody has typed its code. */
  userCode?: string
}

export interface OAuthStates {
  seal(state: OAuthState): Promise<string>
  /** @returns undefined for what is not of our making. */
  open(text: string): Promise<{ state: OAuthState; expired: boolean } | undefined>
}

/**
 * Seals states as encrypted JWTs: nobody can change or read one, because it carries the PKCE
 * verifier. Claims have short names, for X takes a state of at most 500 characters.
 */
export const createOAuthStates = (authSecret: string): OAuthStates => {
  const key = new Uint8Array(hkdfSync('sha256', authSecret, '', 'svc:oauth-state', 32))
  return {
    seal: ({ id, provider, verifier, browserHash, origin, userCode }) =>
      new EncryptJWT({
        v: verifier,
        b: browserHash,
        ...(origin !== undefined && { o: origin }),
        ...(userCode !== undefined && { u: userCode }),
      })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setJti(id)
        .setSubject(provider)
        .setExpirationTime(`${STATE_SECONDS}s`)
        .encrypt(key),

    async open(text) {
      try {
        const { payload } = await jwtDecrypt<Claims>(text, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['jti', 'sub', 'exp'],
        })
        return { state: stateOf(payload), expired: false }
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          return { state: stateOf(error.payload as Claims), expired: true }
        return undefined
      }
    },
  }
}

interface Claims extends JWTPayload {
  v?: string
  b?: string
  o?: string
  u?: string
}

/** What we sealed ourselves has all that it needs. */
const stateOf = ({ jti = '', sub = '', v = '', b = '', o, u }: Claims): OAuthState => ({
  id: jti,
  provider: sub,
  verifier: v,
  browserHash: b,
  ...(o !== undefined && { origin: o }),
  ...(u !== undefined && { userCode: u }),
})
