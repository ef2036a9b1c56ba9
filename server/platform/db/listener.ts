import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

type Options = postgres.Options<Record<string, never>>

/** Called with the text of a notification; without one when some may have been missed. */
type OnNotice = (text?: string) => void

/** The driver passes notifications to this function. Its own `listen` gives up when PostgreSQL is away for a moment. */
interface ListenerOptions extends Options {
  onnotify(channel: string, text: string): void
}

/** A connection that listens on channels, and what is called for each of them. */
interface Listening {
  client: postgres.Sql
  channels: Map<string, Set<OnNotice>>
  /** Aborted when nothing listens any more. */
  closed: AbortController
  /** Statements that open a connection if there is none: another attempt is left to them. */
  attempts: number
  /** Whether a connection was lost since the last attempt that succeeded. */
  isLost: boolean
}

/** Listens on one connection for all channels, and on another one when it is lost. */
export const createListeners = (open: (options: Options) => postgres.Sql) => {
  let current: Listening | undefined

  const start = (): Listening => {
    const channels: Listening['channels'] = new Map()
    const options: ListenerOptions = {
      max: 1,
      idle_timeout: undefined,
      max_lifetime: null,
      onnotify(channel, text) {
        for (const onNotice of channels.get(channel) ?? []) onNotice(text)
      },
      onclose: () => {
        listening.isLost = true
        void listenAgain(listening)
      },
    }
    const client = open(options)
    const closed = new AbortController()
    const listening: Listening = { client, channels, closed, attempts: 0, isLost: false }
    return listening
  }

  const end = async (listening: Listening): Promise<void> => {
    listening.closed.abort()
    if (current === listening) current = undefined
    await listening.client.end({ timeout: 1 })
  }

  const remove = async (
    listening: Listening,
    channel: string,
    onNotice: OnNotice,
  ): Promise<void> => {
    const { channels } = listening
    const called = channels.get(channel)
    if (!called?.delete(onNotice) || called.size > 0) return
    channels.delete(channel)
    if (channels.size === 0) await end(listening)
  }

  return {
    /** @throws when the connection cannot be made. */
    async listen(channel: string, onNotice: OnNotice): Promise<AsyncDisposable> {
      current ??= start()
      const listening = current
      const called = listening.channels.get(channel) ?? new Set()
      listening.channels.set(channel, called.add(onNotice))
      try {
        await attempt(listening)
      } catch (error) {
        await remove(listening, channel, onNotice)
        void listenAgain(listening)
        throw error
      }
      onNotice()
      return { [Symbol.asyncDispose]: () => remove(listening, channel, onNotice) }
    },
  }
}

/** Listens on all channels, which a connection that was made again does not. */
const attempt = async (listening: Listening): Promise<void> => {
  const { client, channels } = listening
  listening.attempts++
  try {
    await client.unsafe([...channels.keys()].map((channel) => `listen ${channel}`).join('; '))
  } finally {
    listening.attempts--
  }
  if (!listening.isLost) return
  listening.isLost = false
  for (const called of channels.values()) for (const onNotice of called) onNotice()
}

/** A failed attempt closes its connection, too, which is then no reason for another. */
const listenAgain = async (listening: Listening): Promise<void> => {
  const { signal } = listening.closed
  if (listening.attempts > 0 || signal.aborted) return
  listening.attempts++
  for (let ms = FIRST_RETRY_MS; !signal.aborted; ms = Math.min(2 * ms, LONGEST_RETRY_MS)) {
    await pause(ms, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const isListening = await attempt(listening).then(
      () => true,
      () => false,
    )
    if (isListening) break
  }
  listening.attempts--
}
