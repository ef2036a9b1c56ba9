import pLimit from 'p-limit'
import { type Document, type Source, Unreadable } from './document.ts'
import type { Outcome } from './worker.ts'

export interface Reader {
  /**
   * The text of a page or file.
   * @throws Unreadable when it has none, or reading it takes until `signal`.
   */
  read(source: Source, signal: AbortSignal): Promise<Document>
}

/** Each takes a processor and up to some hundred megabytes while it runs. */
const MAX_AT_ONCE = 2

/**
 * Reads documents in threads of their own: large ones would hold up every other request, and one
 * that is made to take for ever can be ended.
 */
export const createReader = (): Reader => {
  const limited = pLimit(MAX_AT_ONCE)
  return {
    read: (source, signal) =>
      limited(async () => {
        const outcome = await readInThread(source, signal)
        if ('document' in outcome) return outcome.document
        if ('unreadable' in outcome) throw new Unreadable(outcome.unreadable)
        throw new Error(`reading failed: ${outcome.error}`)
      }),
  }
}

const readInThread = async (source: Source, signal: AbortSignal): Promise<Outcome> => {
  if (signal.aborted) throw tooLong()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url).href)
  const giveUp = () => reject(tooLong())
  signal.addEventListener('abort', giveUp, { once: true })
  worker.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
  worker.onerror = ({ message }) => resolve({ error: message })
  worker.postMessage(source)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', giveUp)
    worker.terminate()
  }
}

const tooLong = () => new Unreadable('It took too long to read')
