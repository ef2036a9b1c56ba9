import { createHash, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Flags of authenticator data (Web Authentication Level 3, section 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, synced: 0x10, attested: 0x40 }

export interface Ceremony {
  /** The origin of the page; that of the server if left out. */
  origin?: string
  /** The relying party that the authenticator signs for; that of the options if left out. */
  rpId?: string
  isVerified?: boolean
}

interface RequestOptions {
  challenge: string
  rpId: string
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

/** The options of an endpoint, as the browser gets them. */
// Options are JSON of any shape.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Options = any

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** COSE_Key of an ES256 public key (RFC 9053, section 7.1.1). */
const coseKey = async (key: CryptoKey) => {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', key)
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}

/** ECDSA signatures of WebAuthn are in ASN.1 DER, those of Web Crypto are two 32-byte integers. */
const toDer = (raw: Uint8Array) => {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0)
    const digits = bytes.subarray(start)
    const value = (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits
    return Buffer.concat([Buffer.of(0x02, value.length), value])
  }
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}

/**
 * An authenticator in software with one discoverable ES256 credential, for what no browser sends: wrong
 * origins, relying parties and counters. Tests in the browser use that of Chromium.
 */
export const createAuthenticator = async (origin: string) => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  const publicKey = await coseKey(pair.publicKey)
  let userHandle: string | undefined
  let counter = 0

  const authenticatorData = (rpId: string, flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count])
  }
  const flagsOf = ({ isVerified = true }: Ceremony) =>
    FLAGS.present | (isVerified ? FLAGS.verified : 0) | FLAGS.eligible

  return {
    id,
    /** The signature counter; 0 stays 0, as with authenticators without one. */
    setCounter(value: number) {
      counter = value
    },

    async register(options: Options, ceremony: Ceremony = {}) {
      const { challenge, rp, user } = options as CreationOptions
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        authenticatorData(ceremony.rpId ?? rp.id, flagsOf(ceremony) | FLAGS.attested),
        Buffer.alloc(16),
        length,
        credentialId,
        publicKey,
      ])
      const attestation = new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        id,
        response: {
          clientDataJSON: base64url(
            clientData('webauthn.create', challenge, ceremony.origin ?? origin),
          ),
          attestationObject: base64url(isoCBOR.encode(attestation)),
        },
      }
    },

    async signIn(options: Options, ceremony: Ceremony = {}) {
      const { challenge, rpId } = options as RequestOptions
      if (counter > 0) counter += 1
      const data = authenticatorData(ceremony.rpId ?? rpId, flagsOf(ceremony) | FLAGS.synced)
      const client = clientData('webauthn.get', challenge, ceremony.origin ?? origin)
      const signed = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        pair.privateKey,
        Buffer.concat([data, sha256(client)]),
      )
      return {
        id,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(toDer(new Uint8Array(signed))),
          userHandle,
        },
      }
    },
  }
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>
