import { adminQueues } from '../../../shared/contract/operations.ts'
import { type Context, signedInClient } from '../../context.ts'
import { formatMinute } from '../../format.ts'
import { printList } from '../../list.ts'

/** Prints the queues of jobs, and the last failed jobs. */
export const runAdminJobs = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(adminQueues)
  if (context.json) return context.io.printJson(response)
  const { jobs, failed_jobs, outbox } = response
  await printList(context, {
    items: jobs,
    columns: {
      KIND: ({ kind }) => kind,
      WAITING: ({ waiting }) => waiting,
      ACTIVE: ({ active }) => active,
      'DUE SINCE': ({ oldest_due_at }) => oldest_due_at && formatMinute(oldest_due_at),
      FAILED: ({ failed }) => failed,
    },
    empty: 'No jobs.',
  })
  context.io.print(`\nEmails of users: ${outbox.queued} queued, ${outbox.failed} failed`)
  if (failed_jobs.length === 0) return
  context.io.print('')
  await printList(context, {
    items: failed_jobs,
    columns: {
      FAILED: ({ failed_at }) => formatMinute(failed_at),
      KIND: ({ kind }) => kind,
      ATTEMPTS: ({ attempts }) => attempts,
      ERROR: ({ error }) => error,
    },
    empty: '',
  })
}
