import { type Fetch, fetchPastProxy } from '../../../shared/proxies.ts'
import { createPacer } from '../event-loop.ts'

interface ResponseLimits {
  /** The most bytes of the body. */
  bytes: number
  /** The most bytes of the body of a response with an error status; like `bytes` if left out. */
  errorBytes?: number
  /** The most bytes of one line of the body. */
  lineBytes?: number
  /** The most lines of the body. */
  lines?: number
}

/** A response that the server does not read: it is larger than allowed, or compressed without request. */
export class ResponseRefused extends Error {
  override name = 'ResponseRefused'
  constructor(readonly reason: 'too_large' | 'compressed') {
    super(`The response is ${reason.replace('_', ' ')}`)
  }
}

/**
 * The consumer gets slices of at most this size. A parser that compares each line with the rest of its
 * input takes the square of the size.
 */
const SLICE_BYTES = 4 * 1024
const LINE_FEED = 0x0a

/**
 * Bun decompresses by itself, without limits on time or the compressed size. It ends a request after five minutes
 * without a response, which a model may take longer for; callers have limits of their own.
 */
const BUN_OPTIONS = { decompress: false, timeout: false }

/**
 * `fetch` for configured servers, with limits on the response. The body fails with `ResponseRefused` where
 * it exceeds one; while it is read, the event loop continues.
 * @throws ResponseRefused when the response is compressed, although the request does not accept that.
 */
export const createLimitedFetch = ({
  bytes,
  errorBytes = bytes,
  lineBytes = bytes,
  lines = bytes,
}: ResponseLimits): Fetch => {
  const limited = async (input: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set('accept-encoding', 'identity')
    const response = await fetchPastProxy(input, { ...init, headers, ...BUN_OPTIONS })
    const { body, ok } = response
    if (!body) return response
    if ((response.headers.get('content-encoding') ?? 'identity').trim() !== 'identity') {
      await body.cancel()
      throw new ResponseRefused('compressed')
    }
    return new Response(
      limitBody(body, { bytes: ok ? bytes : errorBytes, lineBytes, lines }),
      response,
    )
  }
  return limited as Fetch
}

/** The consumer gets a slice only when it has read the one before. */
const limitBody = (
  body: ReadableStream<Uint8Array>,
  limits: Required<Omit<ResponseLimits, 'errorBytes'>>,
): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  const pacer = createPacer()
  let bytes = 0
  let lineBytes = 0
  let lines = 0
  const isWithinLimits = (slice: Uint8Array): boolean => {
    bytes += slice.byteLength
    lineBytes += slice.byteLength
    for (let at = slice.indexOf(LINE_FEED); at >= 0; at = slice.indexOf(LINE_FEED, at + 1)) {
      lines += 1
      lineBytes = slice.byteLength - at - 1
    }
    return bytes <= limits.bytes && lineBytes <= limits.lineBytes && lines <= limits.lines
  }
  let rest: Uint8Array = new Uint8Array()
  return new ReadableStream(
    {
      async pull(controller) {
        if (rest.byteLength === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = value
        }
        const slice = rest.subarray(0, SLICE_BYTES)
        rest = rest.subarray(SLICE_BYTES)
        if (!isWithinLimits(slice)) {
          await reader.cancel()
          throw new ResponseRefused('too_large')
        }
        if (pacer.isDue()) await pacer.yield()
        controller.enqueue(slice)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
