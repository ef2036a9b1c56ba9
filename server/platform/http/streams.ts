import type { Static, TSchema } from '@sinclair/typebox'
import type { Stream } from '../../../shared/contract/endpoint.ts'
import { errorText } from '../../../shared/errors.ts'
import { clean } from './clean.ts'
import { clientDisconnected } from './disconnect.ts'
import { ApiError, asDatabaseError, httpError } from './error.ts'

/** The open streams. A stopping server ends them and waits for their work. */
export type OpenStreams = ReturnType<typeof createOpenStreams>

export const createOpenStreams = () => {
  const closing = new AbortController()
  const open = new Set<() => void>()
  const pending = new Set<Promise<unknown>>()
  return {
    /** Aborted when the server stops. The reason is the error that streams send to their clients. */
    closing: closing.signal,

    /** Adds a stream: `stop` is called when the server stops. @returns a function that removes it. */
    open(stop: () => void): () => void {
      open.add(stop)
      return () => {
        open.delete(stop)
      }
    },

    /** The number of open streams. */
    count: (): number => open.size,

    /** `close` waits for this work. */
    track(work: Promise<unknown>): void {
      pending.add(work)
      const remove = () => pending.delete(work)
      work.then(remove, remove)
    },

    /** Ends every stream and waits for all tracked work. */
    async close(): Promise<void> {
      closing.abort(httpError('server_stopping'))
      for (const stop of [...open]) stop()
      while (pending.size) await Promise.allSettled(pending)
    },
  }
}

const ENCODER = new TextEncoder()

/** Proxies and clients close connections that are idle for about a minute. */
const HEARTBEAT_MS = 15_000

interface Event {
  event: string
  /** A client that reconnects sends that of the last event it has received (`Last-Event-ID`). */
  id?: string
  data: unknown
}

interface EventOptions {
  part: TSchema
  status: number
  streams: OpenStreams
  /** Aborts the source of the events. */
  abort(reason: unknown): void
  /** Called with an unexpected error, not with an ApiError, which the client receives. */
  onError(error: unknown): void
  heartbeatMs?: number
}

/**
 * Responds with server-sent events. It reads `events` as fast as the client reads the body, and sends a
 * comment as heartbeat. An error before the first event is thrown and becomes an error response. A later
 * error is sent as the last event. When the client disconnects or the server stops, the source of the
 * events is aborted and closed.
 */
export const respondWithEvents = async (
  events: AsyncIterable<Event>,
  settings: EventOptions,
): Promise<Response> => {
  const { part, status, streams, abort, onError, heartbeatMs = HEARTBEAT_MS } = settings
  const { closing } = streams
  const iterator = events[Symbol.asyncIterator]()
  const wait = createWait<IteratorResult<Event>>()

  const end = (reason: unknown) => {
    remove()
    abort(reason)
    streams.track(Promise.resolve(iterator.return?.()).catch(onError))
  }
  const remove = streams.open(() => {
    wait.fail(closing.reason)
    end(closing.reason)
  })

  const first = iterator.next()
  wait.begin(first)
  try {
    await first
    closing.throwIfAborted()
  } catch (cause) {
    // The source fails with its own error when the server stops. The client gets the reason of the stop.
    const error = closing.aborted ? closing.reason : cause
    end(error)
    throw error
  }

  let isCancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(ENCODER.encode(text))
        try {
          const result = await wait.end(heartbeatMs)
          if (isCancelled) return
          if (result === 'timeout') return send(': \n\n')
          if (result.done) {
            remove()
            return controller.close()
          }
          send(frame(clean(part, result.value) as Event))
          wait.begin(iterator.next())
        } catch (thrown) {
          if (isCancelled) return
          const error = asDatabaseError(thrown)
          remove()
          if (error !== thrown || !(error instanceof ApiError)) onError(thrown)
          const detail = error instanceof ApiError ? error.detail : errorText.internal
          send(frame({ event: 'error', data: { detail } }))
          controller.close()
        }
      },
      cancel() {
        isCancelled = true
        end(clientDisconnected())
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Disables response buffering in nginx.
      'x-accel-buffering': 'no',
    },
  })
}

const frame = ({ event, id, data }: Event) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/**
 * Waits for one promise after the other, each in parts. A promise gets one reaction, however many parts there are:
 * an idle stream waits for its next event for days, and each reaction would be kept until then.
 */
const createWait = <T>() => {
  let current: Promise<T> | undefined
  let read: (() => T) | undefined
  let wake = () => {}
  const settle = (result: () => T) => {
    read = result
    wake()
  }
  const fail = (error: unknown) => {
    current = undefined
    settle(() => {
      throw error
    })
  }
  return {
    begin(promise: Promise<T>): void {
      // After a failure from outside, the next part gets that.
      if (read && !current) return
      current = promise
      read = undefined
      promise.then(
        (value) => current === promise && settle(() => value),
        (error) => current === promise && fail(error),
      )
    },

    /** Ends the wait with an error. */
    fail,

    /** @throws the error of the promise, or that of `fail`. */
    async end(timeoutMs: number): Promise<T | 'timeout'> {
      if (!read) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, timeoutMs)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      return read ? read() : 'timeout'
    },
  }
}

/** A chunk is sent when it has this many characters, or at the end. */
const CHUNK_CHARS = 64 * 1024

/**
 * Responds with one JSON value per line. It reads `parts` as fast as the client reads the body. An error
 * before the first part is thrown and becomes an error response. A later error closes the connection
 * before the end of the body, which clients report as a failure. When the client disconnects, `parts`
 * is closed.
 */
export const respondInLines = async <T extends TSchema>(
  { type, part: schema }: Stream<T>,
  parts: AsyncIterable<Static<T>>,
  status: number,
  onError: (error: unknown) => void,
): Promise<Response> => {
  const iterator = parts[Symbol.asyncIterator]()
  let isCancelled = false
  let next = await iterator.next()

  const readChunk = async (): Promise<string> => {
    let text = ''
    while (!next.done && text.length < CHUNK_CHARS) {
      text += `${JSON.stringify(clean(schema, next.value))}\n`
      next = await iterator.next()
    }
    return text
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const text = await readChunk()
          if (isCancelled) return
          if (text) controller.enqueue(ENCODER.encode(text))
          if (next.done) controller.close()
        } catch (error) {
          if (isCancelled) return
          onError(error)
          controller.error(new Error('the stream failed'))
        }
      },
      async cancel() {
        isCancelled = true
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: { 'content-type': type } })
}
