import { httpError } from './errors.ts'

/** The open streams. A stopping server ends them and waits for their work. */
export interface OpenStreams {
  /** Aborted when the server stops. The reason is the error that streams send to their clients. */
  closing: AbortSignal
  /** `close` waits for this work. */
  track(work: Promise<unknown>): void
  /** Ends every stream and waits for all tracked work. */
  close(): Promise<void>
}

export const createOpenStreams = (): OpenStreams => {
  const closing = new AbortController()
  const pending = new Set<Promise<unknown>>()
  return {
    closing: closing.signal,
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
