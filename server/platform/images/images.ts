import pLimit, { type LimitFunction } from 'p-limit'
import { budgets } from '../budgets.ts'
import { entryFile } from '../files.ts'
import { defineErrors } from '../http/error.ts'
import { ChildKilled, createProcessPool, type ProcessPool } from '../process/pool.ts'
import type { ImageOutcome, ImageTask } from './image-process.ts'

export type Images = ReturnType<typeof createImages>

const RETRY_SECONDS = 10

const imageError = defineErrors({
  too_many_pixels: ({ width, height }: { width: number; height: number }) => ({
    status: 400,
    detail: `The picture has ${width} x ${height} pixels; it may have ${budgets.imagePixels.count / 1e6} million`,
  }),
  too_many_pictures: {
    status: 429,
    detail: `Too many pictures are waiting. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': `${RETRY_SECONDS}` },
  },
})

/** CPU seconds of a child over its lifetime. */
const CPU_SECONDS = 120

/**
 * Reads images in child processes. A small file can have a large image, so the time and memory of
 * decoders are limited and they can be killed.
 */
export const createImages = () => {
  const headers = createPool()
  const pictures = createPool()
  const inTurn = createTurns()
  return {
    /**
     * @returns `jpeg`, `png` or `webp`, by the header; undefined for other content.
     * @throws the reason of `signal` when it aborts.
     */
    format: async (bytes: Uint8Array, signal: AbortSignal): Promise<string | undefined> =>
      (await runTask(headers, { work: 'format' }, bytes, signal)).format,
    /**
     * Converts to an upright, center-cropped square WebP without metadata. The pictures of an account are
     * converted one after another.
     * @returns undefined for other content, a broken image and one that takes too long.
     * @throws ApiError 400 for one with too many pixels; 429 when too many pictures of the account wait; the reason of `signal` when it aborts.
     */
    async square(
      bytes: Uint8Array,
      side: number,
      { userId, signal }: { userId: string; signal: AbortSignal },
    ): Promise<Uint8Array | undefined> {
      const { webp, tooLarge } = await inTurn(userId, () =>
        runTask(pictures, { work: 'square', side }, bytes, signal),
      )
      if (tooLarge) throw imageError('too_many_pixels', tooLarge)
      return webp === undefined ? undefined : Buffer.from(webp, 'base64')
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([headers, pictures].map((pool) => pool[Symbol.asyncDispose]()))
    },
  }
}

const createPool = () =>
  createProcessPool({
    entry: entryFile('server/platform/images/image-process.ts'),
    size: budgets.images.count,
    taskCpuMs: budgets.image.cpuMs,
    taskMs: budgets.image.ms,
    memoryBytes: budgets.image.memory,
    cpuSeconds: CPU_SECONDS,
  })

const runTask = async (
  pool: ProcessPool,
  header: ImageTask,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ImageOutcome> => {
  let outcome: ImageOutcome = {}
  try {
    for await (const item of pool.run({ header, bytes }, signal)) outcome = item as ImageOutcome
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ChildKilled)) throw error
  }
  return outcome
}

/** Runs the work of each account one after another, so that an account takes one slot of the pool. */
const createTurns = () => {
  const accounts = new Map<string, { limited: LimitFunction; count: number }>()
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const account = accounts.get(userId) ?? { limited: pLimit(1), count: 0 }
    if (account.count > budgets.imagesWaiting.count) throw imageError('too_many_pictures')
    accounts.set(userId, account)
    account.count++
    try {
      return await account.limited(work)
    } finally {
      account.count--
      if (account.count === 0) accounts.delete(userId)
    }
  }
}
