import pLimit from 'p-limit'
import { loadSharp } from '../../platform/images.ts'

const SIDE_PIXELS = 200
/** Enough for photos of current phones; about 200 MB decoded. */
const MAX_INPUT_PIXELS = 50_000_000
const TIMEOUT_SECONDS = 10
/** Decoding keeps one core busy. */
const MAX_AT_ONCE = 2

const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

const limit = pLimit(MAX_AT_ONCE)

/** Ignores the case and the parameters of a content type. */
export const isPictureType = (declared: string): boolean =>
  TYPES.has(declared.split(';')[0]?.trim().toLowerCase() ?? '')

/**
 * Converts an upload to an upright, center-cropped 200x200 WebP without metadata.
 * @returns undefined for content that is not a JPEG, PNG or WebP, is broken, or has too many pixels.
 */
export const convertPicture = (bytes: Uint8Array): Promise<Uint8Array | undefined> =>
  limit(() => convert(bytes).catch(() => undefined))

const convert = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const sharp = await loadSharp()
  return sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'cover', position: 'centre' })
    .webp()
    .toBuffer()
}
