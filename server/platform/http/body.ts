import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { budgets } from '../budgets.ts'
import { collectBytes } from '../bytes.ts'
import { httpError } from './error.ts'
import { parseJson } from './json.ts'

/** Limit of every body except uploads and files. */
export const MAX_BODY_BYTES = budgets.requestBody.bytes

/** A body of a known length up to this is read at once. */
const SMALL_BYTES = 16 * 1024

/** Between parsing and validating a larger body, the server yields to the event loop. */
const LARGE_CHARACTERS = 64 * 1024

/**
 * Reads a JSON body. An empty body counts as `{}`.
 * @throws ApiError 413 over 1 MiB, 422 for another content type and as `parseJson`, 400 and 415 as
 * `readText`.
 */
export const readJson = async (request: Request, pace: BodyPace): Promise<unknown> => {
  const text = await readText(request, MAX_BODY_BYTES, pace)
  if (text === '') return {}
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw httpError('body_not_json')
  const value = parseJson(text)
  if (text.length > LARGE_CHARACTERS) await yieldToRequests()
  return value
}

/**
 * Reads a body as UTF-8 text. Buffers at most one chunk more than `maxBytes`.
 * @throws ApiError 413 over `maxBytes`, 415 when it is compressed, 422 when it is not UTF-8, 400 when it ends
 * early or arrives too slowly.
 */
export const readText = async (
  request: Request,
  maxBytes: number,
  pace: BodyPace,
): Promise<string> => {
  const tooLarge = () => httpError('body_too_large', maxBytes)
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > maxBytes) throw tooLarge()
  const bytes =
    length <= SMALL_BYTES
      ? await receiveSmall(request, pace)
      : await collectBytes(receive(request, pace), maxBytes, tooLarge)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw httpError('body_not_utf8')
  }
}

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
const receiveSmall = async (request: Request, { silenceMs }: BodyPace): Promise<Uint8Array> => {
  checkCoding(request)
  return withTimeout(request.bytes().catch(endedEarly), silenceMs)
}

/** A compressed body could expand to any size, and would be refused as malformed JSON. */
const checkCoding = ({ headers }: Request): void => {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (coding !== 'identity') throw httpError('body_compressed')
}

/**
 * Yields a request's body as it arrives. The client waits while the reader does not read.
 * @throws ApiError 400 when the connection ends early, or the client is slower than `pace`, 415 when it is
 * compressed.
 */
export async function* receive(request: Request, pace: BodyPace): AsyncGenerator<Uint8Array> {
  checkCoding(request)
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
