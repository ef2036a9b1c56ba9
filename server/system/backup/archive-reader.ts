import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { OperatorError } from '../../platform/operator-error.ts'
import { ENTRIES, FORMAT, type Header, type Manifest } from './manifest.ts'

export interface ArchiveEntry {
  name: string
  bytes: Buffer
}

/** Reads the entries of an archive in order. @throws OperatorError when it is damaged. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const tar = createZstdDecompress()
  const reading = pipeline(createReadStream(path), tar)
  reading.catch(() => {})
  try {
    const entries = (Readable.toWeb(tar) as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      createTarDecoder({ strict: true }),
    )
    for await (const { header, body } of entries)
      yield { name: header.name, bytes: Buffer.from(await new Response(body).arrayBuffer()) }
    await reading
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
      ? new OperatorError(`${path} cannot be read (${code})`, { cause })
      : damaged(path, 'it cannot be decompressed', cause)
  }
}

/**
 * Reads the whole archive and compares the checksums.
 * @throws OperatorError when it is damaged, or of a newer format.
 */
export const verifyArchive = async (path: string): Promise<Manifest> => {
  const sums: string[] = []
  let manifest: Manifest | undefined
  let expected: string | undefined
  for await (const { name, bytes } of readArchive(path)) {
    if (sums.length === 0) checkHeader(path, name, bytes)
    if (name === ENTRIES.checksums) {
      expected = bytes.toString()
      continue
    }
    if (name === ENTRIES.manifest) manifest = parse<Manifest>(path, bytes)
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  }
  if (expected === undefined || manifest === undefined) throw damaged(path, 'its end is missing')
  if (sums.join('') !== expected) throw damaged(path, 'its checksums differ from its content')
  return manifest
}

const checkHeader = (path: string, name: string, bytes: Buffer): void => {
  if (name !== ENTRIES.header) throw new OperatorError(`${path} is not a backup of svc`)
  const { format, svc } = parse<Header>(path, bytes)
  if (format > FORMAT)
    throw new OperatorError(
      `${path} has the format ${format}, and this svc reads up to ${FORMAT}; use svc ${svc} or newer`,
    )
}

const parse = <T>(path: string, bytes: Buffer): T => {
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw damaged(path, 'an entry is not JSON', cause)
  }
}

const damaged = (path: string, reason: string, cause?: unknown): OperatorError =>
  new OperatorError(`${path} is damaged: ${reason}; use another backup`, { cause })
