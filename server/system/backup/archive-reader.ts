import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { budgets } from '../../platform/budgets.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { decryption, unlock } from './encryption.ts'
import { ENTRIES } from './manifest.ts'

/** Of decompressed data that is read at once. */
const CHUNK_BYTES = 256 * 1024

/** Its content must be read before the next entry; otherwise it is skipped. */
export type ArchiveEntry = ReturnType<typeof entryOf>

/** An archive on the disk. */
export interface ArchiveFile {
  path: string
  /** Undefined: it is not encrypted. */
  fileKey?: Uint8Array | undefined
}

/**
 * Finds out whether an archive is encrypted, and unlocks it.
 * @throws OperatorError when it cannot be read, or the passphrase is wrong.
 */
export const openFile = async (
  path: string,
  passphrase: () => Promise<string>,
): Promise<ArchiveFile> => {
  const fileKey = await unlock(path, passphrase).catch((cause) => {
    throw isUnreadable(cause) ? unreadable(path, cause) : cause
  })
  return { path, fileKey }
}

/** Reads the entries of an archive in order. @throws OperatorError when it is damaged. */
export async function* readArchive({ path, fileKey }: ArchiveFile): AsyncGenerator<ArchiveEntry> {
  const tar = createZstdDecompress({ chunkSize: CHUNK_BYTES })
  const decrypted = fileKey ? [decryption(fileKey)] : []
  const reading = pipeline([createReadStream(path), ...decrypted, tar])
  reading.catch(() => {})
  try {
    const entries = (Readable.toWeb(tar) as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      createTarDecoder({ strict: true }),
    )
    for await (const { header, body } of entries) {
      if (header.type !== 'file')
        throw damaged(path, `${JSON.stringify(header.name)} is a ${header.type}, not a file`)
      yield entryOf(path, header, body)
      await body.cancel()
    }
    await reading
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const entryOf = (
  path: string,
  { name, size }: { name: string; size: number },
  body: AsyncIterable<Uint8Array>,
) => {
  const content = explained(path, body)
  return {
    name,
    content,

    /** The whole content. @throws OperatorError when the entry is too large for its kind. */
    async bytes(): Promise<Buffer> {
      const { backupFile, backupText } = budgets
      const limit = (name.startsWith(ENTRIES.blobs) ? backupFile : backupText).bytes
      if (size > limit)
        throw damaged(path, `${JSON.stringify(name)} has ${size} bytes, and at most ${limit} fit`)
      return Buffer.concat(await Array.fromAsync(content))
    },
  }
}

async function* explained(
  path: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const unreadable = (path: string, cause: unknown): OperatorError => {
  if (cause instanceof OperatorError) return cause
  return isUnreadable(cause)
    ? new OperatorError(`${path} cannot be read (${cause.code})`, { cause })
    : damaged(path, 'it cannot be decompressed', cause)
}

const isUnreadable = (cause: unknown): cause is NodeJS.ErrnoException =>
  ['ENOENT', 'EACCES', 'EISDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')

export const damaged = (path: string, reason: string, cause?: unknown): OperatorError =>
  new OperatorError(`${path} is damaged: ${reason}; use another backup`, { cause })
