import type { AdminStats } from '../../shared/contract/admin.ts'
import type {
  AdminConfiguration,
  AdminHistory,
  AdminQueues,
  ConfiguredPart,
} from '../../shared/contract/operations.ts'
import type { EngineControl } from '../memory/engines/control.ts'
import type { Database } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs.ts'
import { countByDay, countRows, countUnsentEmails, listFailedEmails } from './statistics-store.ts'

export type StatsService = ReturnType<typeof createStatsService>

/** Totals of the server and lengths of its queues. */
export const createStatsService = (
  database: Database,
  jobs: Pick<Jobs, 'counts'>,
  engines: Pick<EngineControl, 'list'>,
) => ({
  async read(): Promise<AdminStats> {
    const [counts, jobCounts, engineStates] = await Promise.all([
      countRows(database.query),
      jobs.counts(),
      engines.list(),
    ])
    const { sessions, api_keys, organizations, memories, messages } = counts
    const { total, verified, disabled, active_24h, active_30d } = counts
    return {
      users: { total, verified, disabled, active_24h, active_30d },
      sessions,
      api_keys,
      organizations,
      memories,
      messages,
      emails: { queued: counts.emails_queued, failed: counts.emails_failed },
      jobs: jobCounts,
      engines: engineStates.map(({ engine, enabled, pending }) => ({ engine, enabled, pending })),
      database: { kind: database.kind, size_bytes: counts.size_bytes },
    }
  },
})

const DAY_MS = 24 * 60 * 60 * 1000

export type HistoryService = ReturnType<typeof createHistoryService>

/** Numbers of the last days, counted at the request. */
export const createHistoryService = ({ query }: Database) => ({
  async read(days: number): Promise<AdminHistory> {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const first = today - (days - 1) * DAY_MS
    const range = { firstDay: dayOf(first), lastDay: dayOf(today), firstId: lowestIdAt(first) }
    return { days: await countByDay(query, range) }
  },
})

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The lowest UUIDv7 of a millisecond (RFC 9562). */
const lowestIdAt = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Enough to see the cause of a problem. */
const MAX_FAILURES = 20

export type QueueService = ReturnType<typeof createQueueService>

/** The queues of jobs and emails, with what an operator needs to find a blocked one. */
export const createQueueService = ({ db }: Database, jobs: Pick<Jobs, 'counts' | 'failures'>) => ({
  async read(): Promise<AdminQueues> {
    const [counts, failures, unsent, failedEmails] = await Promise.all([
      jobs.counts(),
      jobs.failures(MAX_FAILURES),
      countUnsentEmails(db),
      listFailedEmails(db, MAX_FAILURES),
    ])
    return {
      jobs: counts.map(({ oldestDueAt, ...job }) => ({
        ...job,
        oldest_due_at: oldestDueAt,
      })),
      failed_jobs: failures.map(({ failedAt, ...failure }) => ({
        ...failure,
        failed_at: failedAt,
      })),
      outbox: {
        queued: unsent.queued,
        failed: unsent.failed,
        oldest_queued_at: unsent.oldestQueuedAt?.toISOString() ?? null,
        failures: failedEmails.map(({ failedAt, ...failure }) => ({
          ...failure,
          failed_at: failedAt.toISOString(),
        })),
      },
    }
  },
})

export type ConfigurationService = ReturnType<typeof createConfigurationService>

/** Undefined is not configured. */
interface Settings {
  smtpUrl: unknown
  chat: { providers: readonly { name: string }[] }
  embedding: unknown
  transcribe: unknown
  oauth: Record<string, unknown>
  openId: readonly { name: string }[]
  stripe: { secretKey: unknown }
  s3: unknown
  databaseUrl: unknown
}

/** Names what is configured. Values may be secrets, so none is returned. */
export const createConfigurationService = (config: Settings) => ({
  read: (): AdminConfiguration => ({ parts: listParts(config) }),
})

const listParts = (config: Settings): ConfiguredPart[] => {
  const part = (
    name: ConfiguredPart['part'],
    value: unknown,
    providers: string[] = [],
  ): ConfiguredPart => ({ part: name, configured: Boolean(value), providers })
  const models = config.chat.providers.map(({ name }) => name)
  const oauth = Object.entries(config.oauth)
    .flatMap(([name, settings]) => (settings ? [name] : []))
    .concat(config.openId.map(({ name }) => name))
  return [
    part('mail', config.smtpUrl),
    part('models', models.length, models),
    part('embedding', config.embedding),
    part('transcription', config.transcribe),
    part('oauth', oauth.length, oauth),
    part('stripe', config.stripe.secretKey),
    part('s3', config.s3),
    part('postgres', config.databaseUrl),
  ]
}
