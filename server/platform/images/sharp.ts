import { packageFile } from '../files.ts'

let loaded: ReturnType<typeof load> | undefined

/** Loads sharp, with the formats that are accepted. Images are foreign: only child processes call this. */
export const loadSharp = (): ReturnType<typeof load> => {
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
