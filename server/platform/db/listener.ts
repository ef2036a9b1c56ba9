import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

type Options = postgres.Options<Record<string, never>>

/** The driver passes notifications to this function. Its own `listen` gives up when PostgreSQL is away for a moment. */
interface ListenerOptions extends Options {
  onnotify(channel: string, text: string): void
}

/**
 * Listens on a connection of its own, and on another one when it is lost.
 * @param onNotice called with the text of each notification; without one when some may have been missed.
 * @throws when the first connection fails.
 */
export const openListener = async (
  open: (options: Options) => postgres.Sql,
  channel: string,
  onNotice: (text?: string) => void,
): Promise<AsyncDisposable> => {
  const closed = new AbortController()
  const { signal } = closed
  const options: ListenerOptions = {
    max: 1,
    idle_timeout: undefined,
    max_lifetime: null,
    onnotify: (_, text) => onNotice(text),
    onclose: () => void listenAgain(),
  }
  const client = open(options)
  let isWaiting = false

  const listen = async (): Promise<void> => {
    await client.unsafe(`listen ${channel}`)
    onNotice()
  }

  /** A failed attempt closes its connection, too, which is then no reason for another. */
  const listenAgain = async (): Promise<void> => {
    if (isWaiting || signal.aborted) return
    isWaiting = true
    for (let ms = FIRST_RETRY_MS; !signal.aborted; ms = Math.min(2 * ms, LONGEST_RETRY_MS)) {
      await pause(ms, undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const isListening = await listen().then(
        () => true,
        () => false,
      )
      if (isListening) break
    }
    isWaiting = false
  }

  const close = async (): Promise<void> => {
    closed.abort()
    await client.end({ timeout: 1 })
  }
  isWaiting = true
  try {
    await listen()
  } catch (error) {
    await close()
    throw error
  }
  isWaiting = false
  return { [Symbol.asyncDispose]: close }
}
