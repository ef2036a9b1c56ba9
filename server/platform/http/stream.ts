import type { Static, TSchema } from '@sinclair/typebox'
import type { Stream } from '../../../shared/contract/endpoint.ts'
import { clean } from './clean.ts'

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
  const encoder = new TextEncoder()
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
          if (text) controller.enqueue(encoder.encode(text))
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
