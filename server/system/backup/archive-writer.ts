import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { packTar } from 'modern-tar'
import { syncDirectory } from '../../platform/durable-files.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { storageFailure } from '../../platform/writes.ts'
import { encryption } from './encryption.ts'
import { ENTRIES } from './manifest.ts'

export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>

interface ArchiveOptions {
  overwrites: boolean
  passphrase?: string | undefined
  signal: AbortSignal
}

/**
 * Creates a tar archive, compressed with zstd, that only its owner can read. A passphrase encrypts it.
 * @throws OperatorError when the file exists and `overwrites` is not set, or cannot be written.
 */
export const createArchive = async (
  path: string,
  { overwrites, passphrase, signal }: ArchiveOptions,
) => {
  if (!overwrites && existsSync(path))
    throw new OperatorError(`${path} exists; choose another file, or use --force`)
  const partial = `${path}.${crypto.randomUUID()}.part`
  const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
  const fail = (cause: unknown): never => {
    throw unwritable(path, cause)
  }
  await once(file, 'open').catch(fail)
  const tar = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const encrypted = passphrase === undefined ? [] : [encryption(passphrase)]
  const writing = pipeline([tar, ...encrypted, file], { signal })
  writing.catch(() => {})
  const sums: string[] = []
  let isFinished = false

  /** Waits for the disk. */
  const write = (bytes: Uint8Array) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    tar.write(bytes, () => resolve())
    return Promise.race([writing, promise]).catch(fail)
  }
  return {
    async add(name: string, content: Uint8Array | string): Promise<void> {
      const bytes = Buffer.from(content)
      sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
      await write(await packEntry(name, bytes))
    },
    /** Adds the checksums and gives the file its name. Without it, disposal deletes the file. */
    async finish(): Promise<void> {
      await write(await packEntry(ENTRIES.checksums, Buffer.from(sums.join(''))))
      await write(Buffer.alloc(TAR_END_BYTES))
      tar.end()
      await writing.catch(fail)
      await rename(partial, path).catch(fail)
      await syncDirectory(dirname(path))
      isFinished = true
    },
    async [Symbol.asyncDispose]() {
      if (isFinished) return
      tar.destroy()
      await writing.catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

/** Zeros end an archive (POSIX.1-1988, ustar). */
const TAR_END_BYTES = 1024

/** An archive of one entry without its end. */
const packEntry = async (name: string, body: Buffer<ArrayBuffer>): Promise<Uint8Array> => {
  const header = { name, size: body.byteLength, mode: 0o600 }
  return (await packTar([{ header, body }])).subarray(0, -TAR_END_BYTES)
}

const unwritable = (path: string, cause: unknown): OperatorError =>
  new OperatorError(
    `${path} cannot be written: ${storageFailure(cause) ?? (cause as Error).message}`,
    {
      cause,
    },
  )
