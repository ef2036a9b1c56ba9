import { ApiError } from './error.ts'

/** The streams that are under way, so that a server that stops can end them and wait for what they still do. */
export interface OpenStreams {
  /** Aborted, with what streams are told, when the server stops. */
  closing: AbortSignal
  /** Waits for this before `close` is done. */
  hold(work: Promise<unknown>): void
  /** Ends every stream, and waits until all that went with them is done. */
  close(): Promise<void>
}

export const createOpenStreams = (): OpenStreams => {
  const closing = new AbortController()
  const held = new Set<Promise<unknown>>()
  return {
    closing: closing.signal,
    hold(work) {
      held.add(work)
      const letGo = () => held.delete(work)
      work.then(letGo, letGo)
    },
    async close() {
      closing.abort(new ApiError(503, 'The server is stopping; try again'))
      while (held.size) await Promise.allSettled(held)
    },
  }
}
