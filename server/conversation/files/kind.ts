import sharp from 'sharp'

/** How much of a file is looked at to tell whether it is text. */
const PROBED_BYTES = 64 * 1024

const PICTURES = new Map([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
])

/** What text is called by the end of its name; anything else is plain. */
const TEXTS = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
])

const DECLARED_TEXTS = new Set(TEXTS.values())

export const isPicture = (type: string): boolean => type.startsWith('image/')

/**
 * What a file is, by its content; of text, also by its name and then by what it was sent as.
 * @returns undefined for what is neither text nor a PDF nor a picture that browsers show.
 */
export const kindOf = async (
  bytes: Uint8Array,
  { name, type }: { name: string; type: string },
): Promise<string | undefined> => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PROBED_BYTES))
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf'
  if (isGif(head)) return 'image/gif'
  if (isMaybePicture(head)) return pictureType(bytes)
  if (!isText(head)) return undefined
  const declared = type.split(';')[0]?.trim().toLowerCase() ?? ''
  const byName = TEXTS.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
  return byName ?? (DECLARED_TEXTS.has(declared) ? declared : 'text/plain')
}

/** Its header: the version, and a screen that is larger than nothing (GIF89a, 17 and 18). */
const isGif = (head: Buffer): boolean =>
  /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1')) &&
  head.byteLength > 13 &&
  head.readUInt16LE(6) > 0 &&
  head.readUInt16LE(8) > 0

const isMaybePicture = (head: Buffer): boolean => {
  const start = head.subarray(0, 12).toString('latin1')
  return (
    start.startsWith('\xff\xd8\xff') || start.startsWith('\x89PNG') || /^RIFF.{4}WEBP/s.test(start)
  )
}

/** Reads the header alone: nothing is decoded. */
const pictureType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const { format } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: undefined }))
  return PICTURES.get(format ?? '')
}

/** Text has no control characters but white space and escapes, save where each character is of two bytes. */
const isText = (head: Buffer): boolean => {
  const isWide = /^(\xff\xfe|\xfe\xff)/.test(head.subarray(0, 2).toString('latin1'))
  return isWide || !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))
}
