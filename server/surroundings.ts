import type { HashingCost } from './account/users/passwords.ts'
import type { Config } from './config.ts'
import type { Database } from './platform/db/database.ts'
import type { FetcherOptions } from './platform/fetch/fetcher.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import type { MailTransport } from './platform/mail/transport.ts'

export interface FetchingOptions extends FetcherOptions {
  /** For all it takes to fetch and read a page, or to call a webhook. */
  timeoutMs?: number
}

/** What every domain is started in. */
export interface Surroundings {
  config: Config
  /** Where people reach the server. */
  baseUrl: string
  authSecret: string
  database: Database
  jobs: Jobs
  limits: Limits
  log: Log
  mailTransport: MailTransport
  fetching: FetchingOptions
  hashing: HashingCost | undefined
  /** What a recall waits for the embedding model, before it goes on without. */
  recallBudgetMs: number | undefined
}
