import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { errorText } from '../../../shared/errors.ts'
import type { Database } from '../db/database.ts'
import type { JobKind, Jobs } from '../jobs.ts'
import { limiterKey } from './address.ts'
import { ApiError, RateLimited } from './error.ts'

export interface Limit {
  /** @throws ApiError 429 when `key` has used up its window. */
  take(key: string): Promise<void>
  /** Returns what was taken for something that turned out not to count. */
  giveBack(key: string): Promise<void>
  /** Forgets what was counted for `key`. */
  forget(key: string): Promise<void>
}

export interface Limits {
  /** 5 requests a minute and client address over the auth paths together (contract, section 8). */
  auth(address: string): Promise<void>
  /** 5 wrong device codes in ten minutes, by account and by address. */
  deviceCodes: Limit
  /** 10 wrong passwords in 15 minutes, by account, where somebody signed in is asked for it again. */
  passwordChecks: Limit
  /** 20 mailed links an hour, by account: nobody is to fill a mailbox through us. */
  mailedLinks: Limit
  /** 100 invites an hour, by account. */
  invites: Limit
  /** 50 people a day whom an account has not written to before. */
  newThreads: Limit
  /** 10 pages a minute, by account, with an answer of its own (contract 7.5). */
  urls: Limit
  /** 60 messages a minute to other people, by account. */
  directMessages: Limit
  /** 60 programs an hour that register themselves, by client address. */
  registrations(address: string): Promise<void>
  /** 60 device logins an hour that are begun, by client address. */
  deviceLogins(address: string): Promise<void>
  /** 100 programs a day that are let in, by account. */
  programs: Limit
  /** 30 descriptions of programs a minute that are fetched, by account. */
  clientDocuments: Limit
  /** Forgets what was counted for an account that is gone. */
  forget(userId: string): Promise<void>
}

/** What is answered when a window is used up, with the milliseconds until the next. */
type Refuse = (msBeforeNext: number) => ApiError

type Store = 'memory' | 'postgres'

const HOURLY = '41 * * * *'

/** Fixed windows, counted in memory, or in PostgreSQL so that replicas count together. */
export const startLimits = async (
  store: Store,
  database: Database,
  jobs: Pick<Jobs, 'repeat' | 'send'>,
): Promise<Limits> => {
  if (store === 'postgres') await startForgetting(database, jobs)
  return createLimits(store, database)
}

/** Forgets windows that are over: there is one for each client address, and none is ever asked for again. */
const startForgetting = async (
  { query }: Pick<Database, 'query'>,
  jobs: Pick<Jobs, 'repeat' | 'send'>,
): Promise<void> => {
  const kind: JobKind<object> = {
    name: 'limits-forget',
    retries: 2,
    keyOf: () => 'all',
    pollSeconds: 60,
    async run() {
      await query('delete from rate_limits where expire < extract(epoch from now()) * 1000', [])
    },
  }
  await jobs.repeat(kind, {}, HOURLY)
  await jobs.send(kind, {})
}

const createLimits = (store: Store, database: Database): Limits => {
  const create = (
    keyPrefix: string,
    points: number,
    duration: number,
    refuse: Refuse = () => new ApiError(429, errorText.tooManyRequests),
  ): Limit => {
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
          if (reason instanceof RateLimiterRes) throw refuse(reason.msBeforeNext)
          throw reason
        })
      },
      async giveBack(key) {
        await limiter.reward(key)
      },
      async forget(key) {
        await limiter.delete(key)
      },
    }
  }
  const auth = create('auth', 5, 60)
  const deviceCodes = create('device', 5, 600)
  const passwordChecks = create('password', 10, 900)
  const mailedLinks = create('links', 20, 3600)
  const invites = create('invites', 100, 3600)
  const newThreads = create(
    'threads',
    50,
    86_400,
    () => new ApiError(429, 'You have begun many threads today. Please go on tomorrow.'),
  )
  const urls = create(
    'urls',
    10,
    60,
    (ms) => new RateLimited(Math.max(1, Math.ceil(ms / 1000)), 'POST'),
  )
  const directMessages = create('messages', 60, 60)
  const registrations = create('register', 60, 3600)
  const deviceLogins = create('logins', 60, 3600)
  const programs = create(
    'let-in',
    100,
    86_400,
    () => new ApiError(429, 'You have let in many programs today. Please go on tomorrow.'),
  )
  const clientDocuments = create('programs', 30, 60)
  return {
    auth: (address) => auth.take(limiterKey(address)),
    registrations: (address) => registrations.take(limiterKey(address)),
    deviceLogins: (address) => deviceLogins.take(limiterKey(address)),
    programs,
    clientDocuments,
    deviceCodes,
    passwordChecks,
    mailedLinks,
    invites,
    newThreads,
    directMessages,
    urls,
    async forget(userId) {
      await deviceCodes.forget(`user:${userId}`)
      for (const limit of [
        passwordChecks,
        mailedLinks,
        invites,
        newThreads,
        directMessages,
        urls,
        programs,
        clientDocuments,
      ])
        await limit.forget(userId)
    },
  }
}
