import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { formatWait } from '../../../shared/duration.ts'
import { errorText } from '../../../shared/errors.ts'
import type { Database } from '../db/database.ts'
import { defineRetention } from '../retention.ts'
import { limiterKey } from './address.ts'
import { type ApiError, defineErrors } from './error.ts'
import { deleteExpiredWindows } from './limits-store.ts'

/** One rate limit. */
interface LimitRow {
  /** Prefix of the counters in storage and of the reason in the log; unique. */
  name: string
  /** An address counts as IPv4 address or IPv6 /64. A user's counters are deleted with the user. */
  per: 'user' | 'address' | 'text'
  points: number
  windowSeconds: number
  /**
   * The 429 of `consume`: a text to which the wait is appended, or a function that creates the error. A limit
   * that only `allows` checks needs none.
   */
  exceeded?: string | ((waitSeconds: number) => ApiError)
}

export interface RateLimit extends LimitRow {
  exceeded: (waitSeconds: number) => ApiError
}

/** Declares a rate limit. The row must also be in the list passed to `createLimiter`. */
export const defineLimit = ({ exceeded = 'Too many requests', ...row }: LimitRow): RateLimit => ({
  ...row,
  exceeded: typeof exceeded === 'string' ? exceededError(row.name, exceeded) : exceeded,
})

const exceededError = (name: string, problem: string) => {
  const reason = `${name}_rate_limited`
  const error = defineErrors({
    [reason]: (seconds: number) => ({
      status: 429,
      detail: `${problem}. Try again in ${formatWait(seconds)}.`,
      headers: { 'retry-after': `${seconds}` },
    }),
  })
  return (seconds: number) => error(reason, seconds)
}

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

export type Limiter = ReturnType<typeof createLimiter>

type LimitStore = 'memory' | 'postgres'

const limitError = defineErrors({
  auth_rate_limited: { status: 429, detail: errorText.tooManyRequests },
})

/** The limit that all sign-in paths share. Its 429 has no Retry-After (contract 7.5). */
export const authLimit = defineLimit({
  name: 'auth',
  per: 'address',
  points: 5,
  windowSeconds: MINUTE_SECONDS,
  exceeded: () => limitError('auth_rate_limited'),
})

/** Deletes expired windows. Each client address leaves one. */
export const rateLimitRetention = defineRetention({
  name: 'rate_limits',
  run: ({ db }) => deleteExpiredWindows(db),
})

/** Creates fixed-window limits. They are counted in memory, or in PostgreSQL, which replicas share. */
export const createLimiter = (
  store: LimitStore,
  database: Database,
  limits: readonly RateLimit[],
) => {
  const counters = new Map(limits.map((row) => [row, createCounter(store, database, row)]))
  const counterOf = (row: RateLimit) => {
    const counter = counters.get(row)
    if (!counter)
      throw new Error(`Rate limit ${row.name} is not in the list passed to createLimiter`)
    return counter
  }
  const keyIn = ({ per }: RateLimit, key: string) => (per === 'address' ? limiterKey(key) : key)
  /** @returns the milliseconds to wait where no point is left. */
  const take = (limit: RateLimit, key: string): Promise<number | undefined> =>
    counterOf(limit)
      .consume(keyIn(limit, key))
      .then(
        () => undefined,
        (rejected) => {
          if (!(rejected instanceof RateLimiterRes)) throw rejected
          return rejected.msBeforeNext
        },
      )
  return {
    /** Consumes one point. @throws ApiError 429 when the window of `key` has no point left. */
    async consume(limit: RateLimit, key: string): Promise<void> {
      const waitMs = await take(limit, key)
      if (waitMs !== undefined) throw limit.exceeded(Math.max(1, Math.ceil(waitMs / 1000)))
    },

    /** Consumes one point. @returns false when the window of `key` has no point left. */
    allows: async (limit: RateLimit, key: string): Promise<boolean> =>
      (await take(limit, key)) === undefined,

    /** Refunds a consumed point for a request that does not count. */
    async refund(limit: RateLimit, key: string): Promise<void> {
      await counterOf(limit).reward(keyIn(limit, key))
    },

    /** Deletes the counters of a deleted user. */
    async forget(userId: string): Promise<void> {
      for (const [limit, counter] of counters)
        if (limit.per === 'user') await counter.delete(userId)
    },
  }
}

const createCounter = (
  store: LimitStore,
  database: Database,
  { name, points, windowSeconds }: RateLimit,
) => {
  const window = { keyPrefix: name, points, duration: windowSeconds }
  if (store === 'memory') return new RateLimiterMemory(window)
  return new RateLimiterPostgres({
    ...window,
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const rows = await database.query(text, values)
        return { rows, rowCount: rows.length }
      },
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  })
}
