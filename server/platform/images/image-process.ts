/** The entry file of the processes that read images; see `images.ts`. */
import { budgets } from '../budgets.ts'
import { packageFile } from '../files.ts'
import { serveTasks } from '../process/protocol.ts'

/** Reads the format from the header, or converts to a square WebP with sides of so many pixels. */
export type ImageTask = { work: 'format' } | { work: 'square'; side: number }

/** Of a broken image and of another format, `format` and `webp` are undefined. */
export interface ImageOutcome {
  format?: string | undefined
  /** In Base64. */
  webp?: string | undefined
  /** The width and height of a picture with more pixels than are decoded. */
  tooLarge?: { width: number; height: number }
}

const readFormat = async (bytes: Uint8Array): Promise<ImageOutcome> => {
  const sharp = await loadSharp()
  const { format } = await sharp(bytes).metadata()
  return { format }
}

const convert = async (bytes: Uint8Array, side: number): Promise<ImageOutcome> => {
  const sharp = await loadSharp()
  const { width, height } = await sharp(bytes).metadata()
  if (width * height > budgets.imagePixels.count) return { tooLarge: { width, height } }
  const picture = await sharp(bytes, {
    limitInputPixels: budgets.imagePixels.count,
    failOn: 'error',
  })
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .webp()
    .toBuffer()
  return { webp: picture.toString('base64') }
}

let loaded: ReturnType<typeof load> | undefined

/** Loads sharp, with the formats that are accepted. Images are foreign: only child processes call this. */
const loadSharp = (): ReturnType<typeof load> => {
  loaded ??= load()
  return loaded
}

const load = async () => {
  // A path, because a bundle cannot contain its native library.
  const { default: sharp } = (await import(packageFile('sharp'))) as typeof import('sharp')
  // Allow only the accepted formats: some of the other loaders have a history of vulnerabilities.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
    ],
  })
  sharp.concurrency(1)
  // Repeated images are rare, so a cache only costs memory.
  sharp.cache(false)
  return sharp
}

await serveTasks(async function* (header, bytes): AsyncGenerator<ImageOutcome> {
  const task = header as ImageTask
  yield await (task.work === 'format' ? readFormat(bytes) : convert(bytes, task.side)).catch(
    () => ({}),
  )
})
