import { budgets } from '../budgets.ts'
import { entryFile } from '../files.ts'
import { ChildKilled, createProcessPool } from '../process/pool.ts'
import type { ImageOutcome, ImageTask } from './image-process.ts'

export interface Images extends AsyncDisposable {
  /** @returns `jpeg`, `png` or `webp`, by the header; undefined for other content. */
  format(bytes: Uint8Array): Promise<string | undefined>
  /**
   * Converts to an upright, center-cropped square WebP without metadata.
   * @returns undefined for other content, a broken image and one that exceeds a limit.
   */
  square(bytes: Uint8Array, side: number): Promise<Uint8Array | undefined>
}

/** CPU seconds of a child over its lifetime. */
const CPU_SECONDS = 120

/**
 * Reads images in child processes. A small file can have a large image, so the time and memory of
 * decoders are limited and they can be killed.
 */
export const createImages = (): Images => {
  const pool = createProcessPool({
    entry: entryFile('server/platform/images/image-process.ts'),
    size: budgets.images.count,
    taskCpuMs: budgets.image.cpuMs,
    // The machine may be busy.
    taskMs: 4 * budgets.image.cpuMs,
    memoryBytes: budgets.image.memory,
    cpuSeconds: CPU_SECONDS,
  })
  const run = async (header: ImageTask, bytes: Uint8Array): Promise<ImageOutcome> => {
    let outcome: ImageOutcome = {}
    try {
      const neverAborted = new AbortController().signal
      for await (const item of pool.run({ header, bytes }, neverAborted))
        outcome = item as ImageOutcome
    } catch (error) {
      if (!(error instanceof ChildKilled)) throw error
    }
    return outcome
  }
  return {
    format: async (bytes) => (await run({ work: 'format' }, bytes)).format,
    async square(bytes, side) {
      const { webp } = await run({ work: 'square', side }, bytes)
      return webp === undefined ? undefined : Buffer.from(webp, 'base64')
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
