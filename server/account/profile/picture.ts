import pLimit from 'p-limit'
import sharp from 'sharp'

const SIDE_PIXELS = 200
/** What today's telephones take, and no more than about 200 MB once it is decoded. */
const MAX_INPUT_PIXELS = 50_000_000
const TIMEOUT_SECONDS = 10
/** Decoding fills a core: so many at once, the others wait. */
const MAX_AT_ONCE = 2

const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

// The library reads many more formats than are offered, some by programs with a history of holes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.concurrency(1)
// Nobody uploads the same picture twice in a row.
sharp.cache(false)

const limit = pLimit(MAX_AT_ONCE)

/** Whether a declared content type is one that is taken; its parameters and case do not matter. */
export const isPictureType = (declared: string): boolean =>
  TYPES.has(declared.split(';')[0]?.trim().toLowerCase() ?? '')

/**
 * Makes the picture that is kept: upright, cut to the square in its centre, 200x200 WebP, without
 * the place and the camera that a telephone writes into it.
 * @returns undefined for what is no JPEG, PNG or WebP by its content, broken, or too large to open.
 */
export const makePicture = (bytes: Uint8Array): Promise<Uint8Array | undefined> =>
  limit(() => convert(bytes).catch(() => undefined))

const convert = async (bytes: Uint8Array): Promise<Uint8Array> =>
  sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'cover', position: 'centre' })
    .webp()
    .toBuffer()
