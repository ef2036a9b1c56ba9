import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { budgets } from '../budgets.ts'
import { createPacer } from '../event-loop.ts'
import { detectLayout, HEAD_BYTES, splitElements, splitLines, splitWhole } from './split.ts'

/** A record with its number: that of its line or array element, from 1. */
export type RawRecord = { number: number } & ({ bytes: Uint8Array } | { problem: string })
export type FileRecord = { number: number } & ({ value: unknown } | { problem: string })

/** The rest of the file cannot be read. */
class DamagedFile extends Error {}

const GZIP = [0x1f, 0x8b]
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** How a file is split into records. */
interface RecordOptions {
  /** Keys of the list of records in files that consist of one object. */
  listKeys: ReadonlySet<string>
  /** Larger records are skipped, because a record is buffered as a whole. */
  maxBytes: number
  /** Called with the start of the file, decompressed, before the first record. */
  onHead?(head: Buffer): void
}

/**
 * Splits a JSON file into records while it is received: lines, or the elements of a list. A record with
 * a problem does not affect the next ones.
 */
export async function* readRecords(
  file: AsyncIterable<Uint8Array>,
  options: RecordOptions,
): AsyncGenerator<RawRecord> {
  let number = 0
  try {
    for await (const record of splitRecords(file, options)) {
      number = record.number
      yield record
    }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    yield { number: number + 1, problem: error.message }
  }
}

async function* splitRecords(
  file: AsyncIterable<Uint8Array>,
  { listKeys, maxBytes, onHead }: RecordOptions,
): AsyncGenerator<RawRecord> {
  const { head: signature, all } = await readHead(file, 4)
  if (startsWith(signature, ZIP))
    throw new DamagedFile('This is a ZIP archive: unpack it and import the JSON file in it')
  const { head, all: bytes } = await readHead(
    startsWith(signature, GZIP) ? gunzip(all) : all,
    HEAD_BYTES,
  )
  onHead?.(head)
  const mark = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  const layout = detectLayout(Buffer.from(head.subarray(mark)).toString('latin1'), listKeys)
  const start = mark + (layout.kind === 'elements' ? layout.start : 0)
  const split = { lines: splitLines, elements: splitElements, whole: splitWhole }[layout.kind]
  const pacer = createPacer()
  for await (const { number, bytes: record, isBlank, isTruncated } of split(
    skipBytes(bytes, start),
    maxBytes,
  )) {
    if (pacer.isDue()) await pacer.yield()
    if (isTruncated) throw new DamagedFile('The file ends within this record')
    if (!record) yield { number, problem: `Larger than ${sizeText(maxBytes)}` }
    else if (layout.kind === 'elements' || !isBlank) yield { number, bytes: record }
  }
}

const KIB = 1024
const MIB = 1024 * KIB

const sizeText = (bytes: number): string =>
  bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const parseRecord = (record: RawRecord): FileRecord => {
  if ('problem' in record) return record
  const { number, bytes } = record
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { number, problem: 'Not UTF-8 text' }
  }
  try {
    return { number, value: JSON.parse(text) }
  } catch {
    return { number, problem: 'Not JSON' }
  }
}

const startsWith = (bytes: Uint8Array, start: number[]): boolean =>
  start.every((byte, i) => bytes[i] === byte)

/** The first `size` bytes of a file, or fewer, and the file from its start. */
const readHead = async (file: AsyncIterable<Uint8Array>, size: number) => {
  const iterator = file[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < size) {
    const { done, value } = await iterator.next()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks.splice(0)
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, size), all: all() }
}

async function* skipBytes(file: AsyncIterable<Uint8Array>, count: number) {
  let left = count
  const pacer = createPacer()
  for await (const chunk of file) {
    // A record may consist of thousands of chunks that are already received.
    if (pacer.isDue()) await pacer.yield()
    if (chunk.byteLength > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.byteLength)
  }
}

/** Decompresses a file. @throws DamagedFile when it is damaged, or expands more than any export does. */
async function* gunzip(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { bytes, ratio } = budgets.importGzip
  let received = 0
  let expanded = 0
  async function* counted() {
    for await (const chunk of file) {
      received += chunk.byteLength
      yield chunk
    }
  }
  const source = Readable.from(counted())
  const decompressed = createGunzip()
  // Connection errors reach the reader; errors of gunzip are damage of the file.
  source.on('error', (error) => decompressed.destroy(error))
  try {
    for await (const chunk of source.pipe(decompressed)) {
      expanded += chunk.byteLength
      if (expanded > bytes + ratio * received)
        throw new DamagedFile(`The compressed file expands more than ${ratio} times`)
      yield chunk
    }
  } catch (error) {
    if (isZlibError(error)) throw new DamagedFile('The compressed file is damaged or incomplete')
    throw error
  } finally {
    source.destroy()
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('Z_')
