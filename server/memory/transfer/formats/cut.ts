/** One record as it stands in a file, by its number from 1; without bytes where it is too large. */
export interface Cut {
  number: number
  bytes: Uint8Array | undefined
  /** The file ended before the record did. */
  isCutOff?: boolean
}

/** A larger record than this is passed over: it would have to be held as a whole. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024

/** Gathers the bytes of one record, and lets go of them when they become too many. */
const createRecord = (maxBytes: number) => {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add(bytes: Uint8Array) {
      size += bytes.byteLength
      if (size <= maxBytes) chunks.push(bytes)
      else chunks = []
    },
    take(): Uint8Array | undefined {
      const taken = size <= maxBytes ? Buffer.concat(chunks) : undefined
      chunks = []
      size = 0
      return taken
    },
  }
}

const NEWLINE = 0x0a

/** The lines of a file, blank ones too. */
export async function* cutLines(
  file: AsyncIterable<Uint8Array>,
  maxBytes = MAX_RECORD_BYTES,
): AsyncGenerator<Cut> {
  const record = createRecord(maxBytes)
  let number = 0
  for await (const chunk of file) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      record.add(chunk.subarray(start, end))
      yield { number: ++number, bytes: record.take() }
      start = end + 1
    }
    record.add(chunk.subarray(start))
  }
  yield { number: ++number, bytes: record.take() }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The elements of a JSON array, whose opening bracket has been read. Only brackets and quotes are
 * looked at, so an element that is no JSON is cut out like any other, and those after it are found.
 */
export async function* cutElements(
  file: AsyncIterable<Uint8Array>,
  maxBytes = MAX_RECORD_BYTES,
): AsyncGenerator<Cut> {
  const record = createRecord(maxBytes)
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
      const bytes = record.take()
      const isLast = depth < 0
      // An empty list has no elements, and many a writer puts a comma after the last.
      if (!isLast || !bytes || !isBlank(bytes)) yield { number: ++number, bytes }
      if (isLast) return
      start = i + 1
    }
    record.add(chunk.subarray(start))
  }
  yield { number: ++number, bytes: record.take(), isCutOff: true }
}

/** A file that is one value. */
export async function* cutWhole(
  file: AsyncIterable<Uint8Array>,
  maxBytes = MAX_RECORD_BYTES,
): AsyncGenerator<Cut> {
  const record = createRecord(maxBytes)
  for await (const chunk of file) record.add(chunk)
  yield { number: 1, bytes: record.take() }
}

/** Whether there is nothing but white space. */
export const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))
