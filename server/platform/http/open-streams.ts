import { httpError } from './errors.ts'

/** The open streams. A stopping server ends them and waits for their work. */
export interface OpenStreams {
  /** Aborted when the server stops. The reason is the error that streams send to their clients. */
  closing: AbortSignal
  /** Adds a stream: `stop` is called when the server stops. @returns a function that removes it. */
  open(stop: () => void): () => void
  /** The number of open streams. */
  count(): number
  /** `close` waits for this work. */
  track(work: Promise<unknown>): void
  /** Ends every stream and waits for all tracked work. */
  close(): Promise<void>
}

export const createOpenStreams = (): OpenStreams => {
  const closing = new AbortController()
  const open = new Set<() => void>()
  const pending = new Set<Promise<unknown>>()
  return {
    closing: closing.signal,
    open(stop) {
      open.add(stop)
      closing.signal.addEventListener('abort', stop)
      return () => {
        open.delete(stop)
        closing.signal.removeEventListener('abort', stop)
      }
    },
    count: () => open.size,
    track(work) {
      pending.add(work)
      const remove = () => pending.delete(work)
      work.then(remove, remove)
    },
    async close() {
      closing.abort(httpError('server_stopping'))
      while (pending.size) await Promise.allSettled(pending)
    },
  }
}
