import { fieldsOf } from '../../../shared/objects.ts'
import type { AnswerReader } from './dialect.ts'

/** The longest event, or response without a stream, that is read for its text. Others pass unread. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/** Reads a response while it passes. An unreadable response is no error: it only has no answer then. */
export interface PassageReader {
  push(chunk: Uint8Array): void
  end(): void
}

export const createPassageReader = (
  contentType: string | null,
  reader: AnswerReader,
): PassageReader => (isEventStream(contentType) ? readEvents(reader) : readBody(reader))

export const isEventStream = (contentType: string | null): boolean =>
  contentType?.includes('text/event-stream') ?? false

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const readBody = (reader: AnswerReader): PassageReader => {
  let chunks: Uint8Array[] = []
  let bytes = 0
  return {
    push(chunk) {
      bytes += chunk.byteLength
      if (bytes > MAX_READ_BYTES) chunks = []
      else chunks.push(chunk)
    },
    end() {
      if (bytes > 0 && bytes <= MAX_READ_BYTES)
        reader.onBody(fieldsOf(parse(Buffer.concat(chunks).toString())))
    },
  }
}

const DATA = 'data:'

/** The lines of server-sent events. Models send each event's data in one line. */
const readEvents = (reader: AnswerReader): PassageReader => {
  const decoder = new TextDecoder()
  let rest = ''
  let isTooLong = false
  const readLine = (line: string) => {
    if (!line.startsWith(DATA)) return
    const data = parse(line.slice(DATA.length).trim())
    if (data !== undefined) reader.onEvent(fieldsOf(data))
  }
  return {
    push(chunk) {
      if (isTooLong) return
      const text = decoder.decode(chunk, { stream: true })
      const lastBreak = text.lastIndexOf('\n')
      if (lastBreak < 0) rest += text
      else {
        for (const line of `${rest}${text.slice(0, lastBreak)}`.split('\n')) readLine(line)
        rest = text.slice(lastBreak + 1)
      }
      isTooLong = rest.length > MAX_READ_BYTES
    },
    end() {
      if (!isTooLong && rest) readLine(rest)
    },
  }
}

/** How a response ends: whole, cut off by the upstream, or left by the client. */
export type PassageEnd = 'ended' | 'cut' | 'left'

interface Passage {
  /** The response ends for the client when this is done. */
  onEnd(how: PassageEnd): Promise<void>
  /** Aborts the request to the upstream. */
  abort(reason: unknown): void
  reader: PassageReader | undefined
}

/**
 * The bytes of a response as they come, at the pace of the client. A response that is cut off is cut off
 * for the client, too: the connection ends before the end of the body.
 */
export const passThrough = (
  body: ReadableStream<Uint8Array>,
  { onEnd, abort, reader }: Passage,
): ReadableStream<Uint8Array> => {
  const source = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await source.read()
          if (!done) {
            controller.enqueue(value)
            reader?.push(value)
            return
          }
          reader?.end()
          await onEnd('ended')
          controller.close()
        } catch (error) {
          await onEnd('cut')
          controller.error(error)
        }
      },
      cancel(reason) {
        onEnd('left')
        abort(reason)
        return source.cancel(reason).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}
