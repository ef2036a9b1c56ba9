import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { errorText } from '../../../shared/errors.ts'
import { ApiError } from './error.ts'
import { gone } from './leaving.ts'
import type { OpenStreams } from './open-streams.ts'

/** Proxies and clients take a connection that says nothing for longer than a minute or so to be dead. */
const HEARTBEAT_MS = 15_000

interface Event {
  event: string
  data: unknown
}

export interface EventSettings {
  part: TSchema
  status: number
  streams: OpenStreams
  /** Tells whoever makes the events that nobody wants more. */
  abort(reason: unknown): void
  /** Called with what ended the stream, save what its reader was meant to be told. */
  failed(error: unknown): void
  heartbeatMs?: number
}

/**
 * Answers with server-sent events, each made when the reader is there to take it, and a comment where
 * none comes for a while. An error before the first event is thrown, and so still becomes an answer
 * of its own; after it, it is the last event. When the reader leaves or the server stops, whoever
 * makes the events is told at once, and ended.
 */
export const respondWithEvents = async (
  events: AsyncIterable<Event>,
  settings: EventSettings,
): Promise<Response> => {
  const { part, status, streams, abort, failed, heartbeatMs = HEARTBEAT_MS } = settings
  const { closing } = streams
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()

  const end = (reason: unknown) => {
    closing.removeEventListener('abort', stop)
    abort(reason)
    streams.hold(Promise.resolve(iterator.return?.()).catch(failed))
  }
  const stop = () => end(closing.reason)
  closing.addEventListener('abort', stop)

  let next = iterator.next()
  try {
    await next
    closing.throwIfAborted()
  } catch (error) {
    end(error)
    throw error
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        try {
          const came = await firstOf(next, closing, heartbeatMs)
          if (came === 'quiet') return send(': \n\n')
          if (came.done) {
            closing.removeEventListener('abort', stop)
            return controller.close()
          }
          send(frame(Value.Clean(part, came.value) as Event))
          next = iterator.next()
          // It is looked at by the next pull, if there is one.
          next.catch(() => {})
        } catch (error) {
          closing.removeEventListener('abort', stop)
          if (!(error instanceof ApiError)) failed(error)
          const detail = error instanceof ApiError ? error.detail : errorText.internal
          send(frame({ event: 'error', data: { detail } }))
          controller.close()
        }
      },
      cancel() {
        end(gone())
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Asks nginx not to gather events before it sends them.
      'x-accel-buffering': 'no',
    },
  })
}

const frame = ({ event, data }: Event) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** @throws the signal's reason as soon as it is aborted. */
const firstOf = async <T>(
  next: Promise<T>,
  closing: AbortSignal,
  quietMs: number,
): Promise<T | 'quiet'> => {
  closing.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<T | 'quiet'>()
  const timer = setTimeout(() => resolve('quiet'), quietMs)
  const close = () => reject(closing.reason)
  closing.addEventListener('abort', close)
  next.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
  })
}
