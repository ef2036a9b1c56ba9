import { budgets } from '../budgets.ts'
import { httpError } from './errors.ts'

/** Minimum speed of a client that sends a body. The server's processing time does not count. */
export interface BodyPace {
  /** Longest wait for one chunk, or for a small body as a whole. */
  silenceMs: number
  /** Waiting time after which the average rate is enforced. */
  graceMs: number
  minBytesPerSecond: number
}

export const BODY_PACE: BodyPace = {
  silenceMs: budgets.requestPause.ms,
  graceMs: budgets.requestSpeed.ms,
  minBytesPerSecond: budgets.requestSpeed.bytesPerSecond,
}

/**
 * Reads a small body at once, without a stream and a timer for each chunk.
 * @throws ApiError 400 when the connection ends early, or the body takes longer than one chunk may.
 */
export const receiveSmall = (request: Request, { silenceMs }: BodyPace): Promise<Uint8Array> =>
  withTimeout(request.bytes().catch(endedEarly), silenceMs)

/**
 * Yields a request's body as it arrives. The client waits while the reader does not read.
 * @throws ApiError 400 when the connection ends early, or the client is slower than `pace`.
 */
export async function* receive(request: Request, pace: BodyPace): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  let received = 0
  let waitedMs = 0
  try {
    for (;;) {
      const since = performance.now()
      const allowedMs = pace.graceMs + (received / pace.minBytesPerSecond) * 1_000
      const { done, value } = await withTimeout(
        reader.read().catch(endedEarly),
        Math.min(pace.silenceMs, allowedMs - waitedMs),
      )
      if (done) return
      waitedMs += performance.now() - since
      received += value.byteLength
      yield value
    }
  } finally {
    // Not awaited, because it may wait for the client.
    reader.cancel().catch(() => {})
  }
}

const withTimeout = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow()), Math.max(0, ms))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

const endedEarly = (cause: unknown): never => {
  throw httpError('body_ended_early', cause)
}

const tooSlow = () => httpError('body_too_slow')
