import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { SIGNING_KEY_CHANNEL } from './store.ts'

/** For changes that no notification has reported, and for servers behind a pooler, which gives none. */
const POLL_MS = 30_000
const RETRY_MS = 1_000

export type Following = ReturnType<typeof createFollowing>

/** Reads the keys again after each notification, after a lost connection, and from time to time. */
export const createFollowing = (
  { listen }: Pick<Database, 'listen'>,
  log: Pick<Log, 'warn'>,
  refresh: () => Promise<void>,
  retryMs = RETRY_MS,
) => {
  const closed = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  let listening: Promise<AsyncDisposable | undefined> | undefined
  const onChange = () =>
    void refresh().catch((error: unknown) => log.warn({ error }, 'reading the signing keys failed'))

  /** Listens as soon as the database can be reached. */
  const listenUntilClosed = async (): Promise<AsyncDisposable | undefined> => {
    const { signal } = closed
    while (!signal.aborted)
      try {
        return await listen(SIGNING_KEY_CHANNEL, onChange)
      } catch (error) {
        log.warn({ error }, 'listening for changes of the signing keys failed; retrying')
        await pause(retryMs, undefined, { signal }).catch(() => {})
      }
    return undefined
  }

  return {
    begin(): void {
      timer = setInterval(onChange, POLL_MS)
      listening = listenUntilClosed()
    },
    async close(): Promise<void> {
      closed.abort()
      clearInterval(timer)
      await (await listening)?.[Symbol.asyncDispose]()
    },
  }
}
