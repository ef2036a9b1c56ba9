/** The bytes of one record, numbered from 1; without bytes if it is too large. */
interface RecordSlice {
  number: number
  bytes: Uint8Array | undefined
  /** The record is empty or white space. */
  isBlank: boolean
  /** The file ended before the record did. */
  isTruncated?: boolean
}

/** Buffers the bytes of one record, and drops them above the limit. */
const createRecordBuffer = (maxBytes: number) => {
  let chunks: Uint8Array[] = []
  let size = 0
  let blank = true
  return {
    add(bytes: Uint8Array) {
      size += bytes.byteLength
      // Checked per chunk: a record of white space may be very long.
      blank &&= isBlank(bytes)
      if (size <= maxBytes) chunks.push(bytes)
      else chunks = []
    },
    flush(): Pick<RecordSlice, 'bytes' | 'isBlank'> {
      const bytes = size <= maxBytes ? Buffer.concat(chunks) : undefined
      const isBlank = blank
      chunks = []
      size = 0
      blank = true
      return { bytes, isBlank }
    },
  }
}

const NEWLINE = 0x0a

/** The lines of a file. Empty ones are counted, and lines of spaces are records. */
export async function* splitLines(
  file: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<RecordSlice> {
  const record = createRecordBuffer(maxBytes)
  let number = 0
  for await (const chunk of file) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      record.add(chunk.subarray(start, end))
      yield { number: ++number, ...record.flush() }
      start = end + 1
      // A file of empty lines would take a hundred times as long as one of memories.
      while (chunk[start] === NEWLINE) {
        number++
        start++
      }
    }
    record.add(chunk.subarray(start))
  }
  yield { number: ++number, ...record.flush() }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The elements of a JSON array after its opening bracket. Only brackets and quotes are parsed, so that
 * an element with invalid JSON does not affect the next ones.
 */
export async function* splitElements(
  file: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<RecordSlice> {
  const record = createRecordBuffer(maxBytes)
  let number = 0
  let depth = 0
  let inString = false
  let isEscaped = false
  for await (const chunk of file) {
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
      if (inString || depth > 0 || (depth === 0 && byte !== COMMA)) continue
      record.add(chunk.subarray(start, i))
      const slice = record.flush()
      const isLast = depth < 0
      // An empty list has no elements; a comma after the last element is accepted.
      if (!isLast || !slice.isBlank) yield { number: ++number, ...slice }
      if (isLast) return
      start = i + 1
    }
    record.add(chunk.subarray(start))
  }
  yield { number: ++number, ...record.flush(), isTruncated: true }
}

/** A file with a single value. */
export async function* splitWhole(
  file: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<RecordSlice> {
  const record = createRecordBuffer(maxBytes)
  for await (const chunk of file) record.add(chunk)
  yield { number: 1, ...record.flush() }
}

const isBlank = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  return true
}

/**
 * The layout of a file: one JSON value per line, the elements of an array from byte `start`, or one
 * JSON value.
 */
type FileLayout = { kind: 'lines' } | { kind: 'elements'; start: number } | { kind: 'whole' }

/** The start of a file from which its layout is detected. */
export const HEAD_BYTES = 64 * 1024

/**
 * @param head the start of the file in Latin-1, so that a character is a byte.
 * @param listKeys the keys of the list in files that consist of one object.
 */
export const detectLayout = (head: string, listKeys: ReadonlySet<string>): FileLayout => {
  const first = head.search(/\S/)
  if (head[first] === '[') return { kind: 'elements', start: first + 1 }
  if (head[first] !== '{') return { kind: 'lines' }
  const start = listStart(head, listKeys)
  if (start !== undefined) return { kind: 'elements', start }
  const line = head.slice(first).split('\n', 1)[0] ?? ''
  const isIndented = line.length < head.length - first && /[,[{]\s*$/.test(line)
  return { kind: isIndented && !isJson(line) ? 'whole' : 'lines' }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The start of the list within an object, if it is in the first bytes. */
const listStart = (head: string, listKeys: ReadonlySet<string>): number | undefined => {
  let depth = 0
  for (const { token, isString, end } of tokensOf(head)) {
    if (!isString) depth += token === '{' || token === '[' ? 1 : -1
    if (depth === 0) return undefined
    if (depth > 1 || !isString || !listKeys.has(token)) continue
    const opening = /^\s*:\s*\[(?=\s*[{\]])/.exec(head.slice(end))
    if (opening) return end + opening[0].length
  }
  return undefined
}

/** Brackets, and strings without their quotes. */
function* tokensOf(head: string): Generator<{ token: string; isString: boolean; end: number }> {
  for (let at = 0; at < head.length; at++) {
    const character = head.charAt(at)
    if ('[]{}'.includes(character)) yield { token: character, isString: false, end: at + 1 }
    if (character !== '"') continue
    const start = at + 1
    for (at = start; at < head.length && head[at] !== '"'; at++) if (head[at] === '\\') at++
    if (at < head.length) yield { token: head.slice(start, at), isString: true, end: at + 1 }
  }
}
