import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { cutElements, cutLines, cutWhole, isBlank } from './cut.ts'
import { HEAD_BYTES, layoutOf } from './layout.ts'

/** A record of a file by its number: a line from 1, or an element of an array from 1. */
export type FileRecord = { number: number } & ({ value: unknown } | { problem: string })

const GZIP = [0x1f, 0x8b]
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Reads the records of a JSON file as its bytes come: lines, or the elements of a list. What is
 * wrong with a record is told under its number, and those after it are read all the same.
 */
export async function* readRecords(file: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  let number = 0
  try {
    for await (const record of recordsOf(file)) {
      number = record.number
      yield record
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    yield { number: number + 1, problem: error.message }
  }
}

/** The file cannot be read on. */
class Damaged extends Error {}

async function* recordsOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  const { head: packed, all } = await withHead(file, 4)
  if (startsWith(packed, ZIP))
    throw new Damaged('This is a ZIP archive: unpack it, and import the JSON file that is in it')
  const { head, all: bytes } = await withHead(
    startsWith(packed, GZIP) ? gunzipped(all) : all,
    HEAD_BYTES,
  )
  const mark = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  const layout = layoutOf(Buffer.from(head.subarray(mark)).toString('latin1'))
  const start = mark + (layout.kind === 'elements' ? layout.start : 0)
  const cut = { lines: cutLines, elements: cutElements, whole: cutWhole }[layout.kind]
  for await (const { number, bytes: record, isCutOff } of cut(without(bytes, start))) {
    if (isCutOff) throw new Damaged('The file ends in the middle of this')
    if (!record) yield { number, problem: 'Larger than 32 MiB' }
    else if (layout.kind === 'elements' || !isBlank(record)) yield { number, ...parse(record) }
  }
}

const parse = (bytes: Uint8Array): { value: unknown } | { problem: string } => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { problem: 'Not UTF-8 text' }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'Not JSON' }
  }
}

const startsWith = (bytes: Uint8Array, start: number[]): boolean =>
  start.every((byte, i) => bytes[i] === byte)

/** The first bytes of a file, `size` of them where there are so many, and the file from its start. */
const withHead = async (file: AsyncIterable<Uint8Array>, size: number) => {
  const iterator = file[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let held = 0
  while (held < size) {
    const { done, value } = await iterator.next()
    if (done) break
    chunks.push(value)
    held += value.byteLength
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

async function* without(file: AsyncIterable<Uint8Array>, count: number) {
  let left = count
  for await (const chunk of file) {
    if (chunk.byteLength > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.byteLength)
  }
}

async function* gunzipped(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(file)
  const unpacked = createGunzip()
  // An error of the connection is the reader's to know, one of the packing is the file's.
  source.on('error', (error) => unpacked.destroy(error))
  try {
    for await (const chunk of source.pipe(unpacked)) yield chunk
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new Damaged('The compressed file is damaged, or ends in the middle')
    throw error
  } finally {
    source.destroy()
  }
}
