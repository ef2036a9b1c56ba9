import type { Database } from '../../platform/db/database.ts'
import {
  ACTIVITY_CHANNEL,
  latestActivity,
  listActivityAfter,
  type StoredActivity,
} from './store.ts'

export interface FollowOptions {
  signal: AbortSignal
  /** Gives an empty page after this time without events. */
  idleMs: number
}

const PAGE = 200
/** The latest events of an owner are kept for the followers, so that each event is read once a process. */
const KEPT = 500
/** Behind a pooler, which gives no notifications. */
const POLL_MS = 1_000

/** The latest events of an owner, and those who follow them. */
interface Tail {
  followers: number
  /** The kept events are all those after this one. */
  start: bigint
  end: bigint
  kept: StoredActivity[]
  /** Called when there are more, or they could not be read. */
  waiting: Set<() => void>
  error: unknown
  reading: Promise<void> | undefined
  isStale: boolean
}

type FeedDatabase = Pick<Database, 'query' | 'listen'>

/** The tails of the owners that are followed, kept up to date. */
const createTails = ({ query, listen }: FeedDatabase) => {
  const tails = new Map<string, Tail>()
  let listening: Promise<AsyncDisposable> | undefined

  const read = async (ownerId: string, tail: Tail): Promise<void> => {
    while (tail.isStale) {
      tail.isStale = false
      const rows = await listActivityAfter(query, ownerId, String(tail.end), PAGE)
      const last = rows.at(-1)
      if (!last) continue
      tail.isStale ||= rows.length === PAGE
      tail.end = BigInt(last.id)
      tail.kept.push(...rows)
      const dropped = tail.kept.splice(0, Math.max(0, tail.kept.length - KEPT))
      tail.start = BigInt(dropped.at(-1)?.id ?? tail.start)
      wake(tail)
    }
  }

  const refresh = (ownerId: string): void => {
    const tail = tails.get(ownerId)
    if (!tail) return
    tail.isStale = true
    tail.reading ??= read(ownerId, tail)
      .catch((error: unknown) => {
        // The next follower begins anew.
        if (tails.get(ownerId) === tail) tails.delete(ownerId)
        tail.error = error
        wake(tail)
      })
      .finally(() => {
        tail.reading = undefined
        if (tail.isStale) refresh(ownerId)
      })
  }

  const refreshAll = (): void => {
    for (const ownerId of tails.keys()) refresh(ownerId)
  }

  /** Listens from the first follower on. */
  const begin = async (): Promise<AsyncDisposable> => {
    const listener = await listen(ACTIVITY_CHANNEL, (owners) => {
      if (owners === undefined) return refreshAll()
      for (const ownerId of owners.split(',')) refresh(ownerId)
    })
    if (listener) return listener
    const timer = setInterval(refreshAll, POLL_MS)
    return { [Symbol.asyncDispose]: async () => clearInterval(timer) }
  }

  const untilListening = async (): Promise<void> => {
    listening ??= begin()
    await listening.catch((error: unknown) => {
      listening = undefined
      throw error
    })
  }

  return {
    /** The tail of an owner from now on, and the latest event. */
    async join(ownerId: string): Promise<{ tail: Tail; latest: bigint }> {
      await untilListening()
      const latest = BigInt(await latestActivity(query))
      const known = tails.get(ownerId)
      const tail: Tail = known ?? {
        followers: 0,
        start: latest,
        end: latest,
        kept: [],
        waiting: new Set(),
        error: undefined,
        reading: undefined,
        isStale: false,
      }
      tail.followers += 1
      tails.set(ownerId, tail)
      // The notification of an event since then found no tail.
      if (!known) refresh(ownerId)
      return { tail, latest }
    },

    leave(ownerId: string, tail: Tail): void {
      tail.followers -= 1
      if (tail.followers === 0 && tails.get(ownerId) === tail) tails.delete(ownerId)
    },

    async close(): Promise<void> {
      const listener = await listening?.catch(() => undefined)
      await listener?.[Symbol.asyncDispose]()
    },
  }
}

export const createActivityFeed = (database: FeedDatabase) => {
  const { query } = database
  const tails = createTails(database)
  return {
    /** The id of the latest event of all owners. */
    latest: (): Promise<string> => latestActivity(query),

    /**
     * The events of an owner after one, in their order, as soon as one of the processes has stored them.
     * @param after the id of an event; one that does not exist yet counts as the latest.
     * @throws when the database is down.
     */
    async *follow(
      ownerId: string,
      after: string,
      { signal, idleMs }: FollowOptions,
    ): AsyncGenerator<StoredActivity[]> {
      const { tail, latest } = await tails.join(ownerId)
      const onAbort = () => wake(tail)
      signal.addEventListener('abort', onAbort)
      try {
        // The tail may lag behind what another process has already given.
        let last = BigInt(after) > latest ? latest : BigInt(after)
        while (!signal.aborted) {
          if (tail.error) throw tail.error
          const isKept = last >= tail.start
          const rows = isKept
            ? tail.kept.filter(({ id }) => BigInt(id) > last)
            : await listActivityAfter(query, ownerId, String(last), PAGE)
          const next = rows.at(-1)
          if (next) {
            last = BigInt(next.id)
            yield rows
          } else if (isKept) {
            if (await isIdle(tail, idleMs)) yield []
          } else last = tail.start
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        tails.leave(ownerId, tail)
      }
    },

    close: tails.close,
  }
}

/**
 * Whether nothing changes for a time. A wait leaves nothing behind: an owner without events has followers that
 * wait again and again.
 */
const isIdle = async ({ waiting }: Tail, idleMs: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const onChange = () => resolve(false)
  const timer = setTimeout(resolve, idleMs, true)
  waiting.add(onChange)
  const result = await promise
  clearTimeout(timer)
  waiting.delete(onChange)
  return result
}

const wake = ({ waiting }: Tail): void => {
  for (const onChange of waiting) onChange()
}
