import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { errorText } from '../../../shared/errors.ts'
import type { Database } from '../db/database.ts'
import { limiterKey } from './address.ts'
import { ApiError } from './error.ts'

export interface Limit {
  /** @throws ApiError 429 when `key` has used up its window. */
  take(key: string): Promise<void>
  /** Returns what was taken for something that turned out not to count. */
  giveBack(key: string): Promise<void>
}

export interface Limits {
  /** 5 requests a minute and client address over the auth paths together (contract, section 8). */
  auth(address: string): Promise<void>
  /** 5 wrong device codes in ten minutes, by account and by address. */
  deviceCodes: Limit
}

/**
 * Fixed windows, counted in memory, or in PostgreSQL so that replicas count together.
 */
export const createLimits = (store: 'memory' | 'postgres', database: Database): Limits => {
  const create = (keyPrefix: string, points: number, duration: number): Limit => {
    const window = { keyPrefix, points, duration }
    const limiter =
      store === 'memory'
        ? new RateLimiterMemory(window)
        : new RateLimiterPostgres({
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
    return {
      async take(key) {
        await limiter.consume(key).catch((reason) => {
          if (reason instanceof RateLimiterRes) throw new ApiError(429, errorText.tooManyRequests)
          throw reason
        })
      },
      async giveBack(key) {
        await limiter.reward(key)
      },
    }
  }
  const auth = create('auth', 5, 60)
  return {
    auth: (address) => auth.take(limiterKey(address)),
    deviceCodes: create('device', 5, 600),
  }
}
