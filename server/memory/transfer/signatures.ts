import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { promisify } from 'node:util'
import { lowestTrust, type Trust } from '../../../shared/contract/memories.ts'
import {
  type ExportedMemory,
  ExportSignature,
  type TrustLoss,
} from '../../../shared/contract/transfer.ts'
import { isObject } from '../../../shared/objects.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { readValue } from '../../platform/http/validate.ts'
import { type AuthSecrets, deriveKeys } from '../../platform/secrets/derived-keys.ts'
import { isBelow } from '../memories/actor.ts'

/** A line of an export as its signature covers it: processes pass it on as JSON. */
export interface SignedLine {
  signature: ExportSignature
  /** Hexadecimal. */
  digest: string
}

type Exporter = Pick<Caller, 'userId' | 'ownerId' | 'me'>

/** The trust that an imported memory gets, and why it is less than its line says. */
export interface ImportedTrust {
  trust: Trust
  loss?: TrustLoss
}

export type ExportKeys = ReturnType<typeof createExportKeys>

/** DER of an Ed25519 private key before its 32 bytes (RFC 8410). */
const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex')
const verifyAsync = promisify(verify)

const publicKeyOf = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

/** Whether a text is an Ed25519 public key, as `signature.key` has it. */
export const isExportKey = (text: string): boolean => {
  try {
    return /^[\w-]{43}$/.test(text) && publicKeyOf(text) !== undefined
  } catch {
    return false
  }
}

/**
 * Signs exports, so that a later import knows that this server has stored the lines, and for whom. The keys
 * are derived from the auth secret: unlike those of access tokens they do not end, as a backup must not.
 * @param trusted the public keys of other servers.
 */
export const createExportKeys = (authSecrets: AuthSecrets, trusted: readonly string[]) => {
  const own = deriveKeys(authSecrets, 'svc:export').map((seed) =>
    createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' }),
  )
  const nameOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x ?? ''
  const [privateKey] = own
  const key = privateKey && nameOf(privateKey)
  const known = new Map(
    [...own.map(nameOf), ...trusted].map((name) => [name, publicKeyOf(name)] as const),
  )
  if (!privateKey || !key) throw new Error('no key signs exports')

  return {
    /** Signs each line as an export of this owner. */
    signerFor(exporter: Exporter): (memory: ExportedMemory) => ExportedMemory {
      const by = { key, owner: exporter.ownerId, email: emailOf(exporter) }
      return (memory) => {
        const digest = digestOf({ ...memory, signature: by })
        const value = sign(null, digest, privateKey).toString('base64url')
        return { ...memory, signature: { ...by, value } }
      }
    },

    /** How far a line is trusted in the account of its importer. */
    async trustFor(
      importer: Exporter & Pick<Caller, 'trust'>,
      claimed: Trust | undefined = 'imported',
      signed: SignedLine | undefined,
    ): Promise<ImportedTrust> {
      const trust = lowestTrust(claimed, importer.trust ?? 'user')
      if (!isBelow('imported', claimed)) return { trust }
      const loss = await lossOf(importer, signed, known)
      if (loss) return { trust: lowestTrust('imported', trust), loss }
      return isBelow(trust, claimed) ? { trust, loss: 'credential' } : { trust }
    },
  }
}

/** Why a line is not trusted as its server did; undefined where it is. */
const lossOf = async (
  importer: Exporter,
  signed: SignedLine | undefined,
  known: ReadonlyMap<string, KeyObject>,
): Promise<TrustLoss | undefined> => {
  if (signed === undefined) return 'unsigned'
  const { signature, digest } = signed
  const key = known.get(signature.key)
  if (!key) return 'unknown_server'
  const value = Buffer.from(signature.value, 'base64url')
  if (!(await verifyAsync(null, Buffer.from(digest, 'hex'), key, value))) return 'changed'
  const email = emailOf(importer)
  const isOwn =
    signature.owner === importer.ownerId || (email !== null && signature.email === email)
  return isOwn ? undefined : 'other_account'
}

/** The hash of the verified address of a person: their account elsewhere has the same. */
const emailOf = ({ userId, ownerId, me }: Exporter): string | null =>
  userId === ownerId && me.email_verified
    ? createHash('sha256').update(me.email.toLowerCase()).digest('base64url')
    : null

/** The hash of a line, whatever the order of its fields. */
const digestOf = (line: object): Buffer => {
  const sorted = (_: string, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, value[key]]),
        )
      : value
  return createHash('sha256').update(JSON.stringify(line, sorted)).digest()
}

/** The signature of a line of a file. @returns undefined for a line without one. */
export const readSignature = (line: unknown): SignedLine | undefined => {
  if (!isObject(line) || line.signature === undefined) return undefined
  const read = readValue(ExportSignature, line.signature)
  if (!('value' in read)) return undefined
  const { value: _, ...by } = read.value
  return { signature: read.value, digest: digestOf({ ...line, signature: by }).toString('hex') }
}
