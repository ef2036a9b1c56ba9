import type { AdminQueues } from '../../../shared/contract/operations.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { countUnsentEmails, listFailedEmails } from './store.ts'

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
