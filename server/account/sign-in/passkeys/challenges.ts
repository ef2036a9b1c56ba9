import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'

/** The use of a challenge. That of a registration belongs to the user who registers. */
export type ChallengePurpose = 'sign-in' | `register ${string}`

export interface IssuedChallenge {
  id: string
  expiresAt: Date
}

/**
 * Issues the challenges of passkeys. They are signed instead of stored, so that a view of the sign-in
 * page writes nothing.
 */
export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

const ID_BYTES = 16
/** Milliseconds since 1970, as an unsigned 48-bit integer. */
const EXPIRY_BYTES = 6
const HEAD_BYTES = ID_BYTES + EXPIRY_BYTES

export const createPasskeyChallenges = (authSecrets: AuthSecrets) => {
  const keys = deriveKeys(authSecrets, 'svc:passkey-challenge')
  const sign = (head: Uint8Array, purpose: string, key = keys[0]) =>
    createHmac('sha256', key).update(head).update(purpose).digest()

  return {
    create(purpose: ChallengePurpose, lifetimeMs: number): Uint8Array<ArrayBuffer> {
      const head = Buffer.alloc(HEAD_BYTES)
      randomBytes(ID_BYTES).copy(head)
      head.writeUIntBE(Date.now() + lifetimeMs, ID_BYTES, EXPIRY_BYTES)
      return new Uint8Array(Buffer.concat([head, sign(head, purpose)]))
    },

    /** @returns undefined for a challenge that is forged, expired or for another purpose. */
    read(challenge: string, purpose: ChallengePurpose): IssuedChallenge | undefined {
      const bytes = Buffer.from(challenge, 'base64url')
      const head = bytes.subarray(0, HEAD_BYTES)
      const signature = bytes.subarray(HEAD_BYTES)
      const isSigned = keys.some((key) => isEqual(signature, sign(head, purpose, key)))
      if (!isSigned) return undefined
      const expiresAt = new Date(head.readUIntBE(ID_BYTES, EXPIRY_BYTES))
      if (expiresAt.getTime() <= Date.now()) return undefined
      return { id: head.toString('base64url', 0, ID_BYTES), expiresAt }
    },
  }
}

const isEqual = (signature: Uint8Array, expected: Uint8Array): boolean =>
  signature.length === expected.length && timingSafeEqual(signature, expected)
