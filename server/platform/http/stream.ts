import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Stream } from '../../../shared/contract/endpoint.ts'

/** How many characters are gathered before they are sent. */
const GATHERED_CHARS = 64 * 1024

/**
 * Answers with parts, one JSON value a line, that are asked for as fast as the reader takes them. An
 * error before the first part is thrown, and so still becomes an answer of its own. After it, the
 * connection ends without the end of the body, which every client takes for a failure. When the
 * reader leaves, `parts` is ended.
 */
export const respondInLines = async <T extends TSchema>(
  { type, part: schema }: Stream<T>,
  parts: AsyncIterable<Static<T>>,
  status: number,
  failed: (error: unknown) => void,
): Promise<Response> => {
  const iterator = parts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let hasLeft = false
  let next = await iterator.next()

  const gather = async (): Promise<string> => {
    let text = ''
    while (!next.done && text.length < GATHERED_CHARS) {
      text += `${JSON.stringify(Value.Clean(schema, next.value))}\n`
      next = await iterator.next()
    }
    return text
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const text = await gather()
          if (hasLeft) return
          if (text) controller.enqueue(encoder.encode(text))
          if (next.done) controller.close()
        } catch (error) {
          if (hasLeft) return
          failed(error)
          controller.error(new Error('the answer breaks off here'))
        }
      },
      async cancel() {
        hasLeft = true
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: { 'content-type': type } })
}
