/** The bytes that are checked for control characters. */
const PROBED_BYTES = 64 * 1024

const IMAGE_TYPES = new Map([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
])

/** Text types by file extension; other text is plain. */
const TEXT_TYPES = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
])

const DECLARABLE_TEXT_TYPES = new Set(TEXT_TYPES.values())

export const isImage = (type: string): boolean => type.startsWith('image/')

/**
 * The media type of a file by its content; of text by its extension, then by its declared type.
 * @returns undefined for a file that is neither text, a PDF nor an image that browsers show.
 */
export const detectFileType = async (
  bytes: Uint8Array,
  { name, type }: { name: string; type: string },
  /** Reads the format of an image from its header. */
  detectFormat: () => Promise<string | undefined>,
): Promise<string | undefined> => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PROBED_BYTES))
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf'
  if (isGif(head)) return 'image/gif'
  if (mayBeImage(head)) return IMAGE_TYPES.get((await detectFormat()) ?? '')
  if (!isText(head)) return undefined
  const declared = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const byName = TEXT_TYPES.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
  return byName ?? (DECLARABLE_TEXT_TYPES.has(declared) ? declared : 'text/plain')
}

/** By the header: the version, and a screen that is not empty (GIF89a, sections 17 and 18). */
const isGif = (head: Buffer): boolean =>
  /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1')) &&
  head.byteLength > 13 &&
  head.readUInt16LE(6) > 0 &&
  head.readUInt16LE(8) > 0

const mayBeImage = (head: Buffer): boolean => {
  const start = head.subarray(0, 12).toString('latin1')
  return (
    start.startsWith('\xff\xd8\xff') || start.startsWith('\x89PNG') || /^RIFF.{4}WEBP/s.test(start)
  )
}

/** Text has no control characters except white space and ESC, or starts with a UTF-16 byte order mark. */
const isText = (head: Buffer): boolean => {
  const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(head.subarray(0, 2).toString('latin1'))
  return isUtf16 || !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))
}
