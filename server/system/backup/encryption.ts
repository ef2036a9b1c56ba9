import { open } from 'node:fs/promises'
import { Duplex, Readable } from 'node:stream'
import { budgets } from '../../platform/budgets.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/** The start of a file in the format of age (age-encryption.org/v1). */
const START = 'age-encryption.org/'
/** The whole header of a file that is encrypted with a passphrase, with the work factor of scrypt. */
const HEADER =
  /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d{1,2})\n[\w+/]{43}\n--- [\w+/]{43}\n/
const MAX_HEADER_BYTES = 256

/** Loaded only for encrypted archives. */
const loadAge = () => import('age-encryption')

const webStream = (content: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(content)) as ReadableStream<Uint8Array>

/** Encrypts a stream with a passphrase, in the format of age. */
export const encryption = (passphrase: string): Duplex =>
  Duplex.from(async function* (content: AsyncIterable<Uint8Array>) {
    const { Encrypter } = await loadAge()
    const encrypter = new Encrypter()
    encrypter.setScryptWorkFactor(budgets.backupWorkFactor.count)
    encrypter.setPassphrase(passphrase)
    yield* await encrypter.encrypt(webStream(content))
  })

/** Decrypts a stream with the key of `unlock`. */
export const decryption = (fileKey: Uint8Array): Duplex =>
  Duplex.from(async function* (content: AsyncIterable<Uint8Array>) {
    const { Decrypter } = await loadAge()
    const decrypter = new Decrypter()
    decrypter.addIdentity({ unwrapFileKey: () => fileKey })
    yield* await decrypter.decrypt(webStream(content))
  })

/**
 * Derives the key of a file from its passphrase.
 * @returns undefined for a file that is not encrypted.
 * @throws OperatorError when the passphrase is wrong, or the file is encrypted in another way.
 */
export const unlock = async (
  path: string,
  passphrase: () => Promise<string>,
): Promise<Uint8Array | undefined> => {
  const start = await readStart(path)
  if (!start.startsWith(START)) return undefined
  const [header, workFactor] = HEADER.exec(start) ?? []
  if (header === undefined)
    throw new OperatorError(
      `${path} is not encrypted with a passphrase, or is damaged; decrypt it with age first`,
    )
  const { count } = budgets.backupWorkFactor
  if (Number(workFactor) > count)
    throw new OperatorError(
      `${path} has the scrypt work factor ${workFactor}, and svc reads up to ${count}; decrypt it with age first`,
    )
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(await passphrase())
  return decrypter.decryptHeader(Buffer.from(header)).catch((cause) => {
    throw new OperatorError(`The passphrase is not that of ${path}`, { cause })
  })
}

const readStart = async (path: string): Promise<string> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_HEADER_BYTES) })
  return buffer.toString('latin1', 0, bytesRead)
}
