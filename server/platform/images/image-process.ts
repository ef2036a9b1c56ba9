/** The entry file of the processes that read images; see `images.ts`. */
import { budgets } from '../budgets.ts'
import { serveTasks } from '../process/protocol.ts'
import { loadSharp } from './sharp.ts'

/** Reads the format from the header, or converts to a square WebP with sides of so many pixels. */
export type ImageTask = { work: 'format' } | { work: 'square'; side: number }

/** Of a broken image and of another format, `format` and `webp` are undefined. */
export interface ImageOutcome {
  format?: string | undefined
  /** In Base64. */
  webp?: string | undefined
}

const readFormat = async (bytes: Uint8Array): Promise<ImageOutcome> => {
  const sharp = await loadSharp()
  const { format } = await sharp(bytes).metadata()
  return { format }
}

const convert = async (bytes: Uint8Array, side: number): Promise<ImageOutcome> => {
  const sharp = await loadSharp()
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

await serveTasks(async function* (header, bytes): AsyncGenerator<ImageOutcome> {
  const task = header as ImageTask
  yield await (task.work === 'format' ? readFormat(bytes) : convert(bytes, task.side)).catch(
    () => ({}),
  )
})
