import type { Client } from '../../shared/client.ts'
import { listDirectThreads } from '../../shared/contract/dm.ts'
import { listConflicts } from '../../shared/contract/identity.ts'
import { me } from '../../shared/contract/sessions.ts'
import { openSpool } from '../assistants/spool.ts'
import { type Context, signedInClient } from '../context.ts'
import { formatMinute } from '../format.ts'
import { MAX_PAGE_SIZE } from '../ids.ts'
import { printFields } from '../list.ts'
import { getHealthReport } from './doctor/server.ts'
import { reminders } from './reminders.ts'

/** Prints the server, the account and the organization, and what waits for the user. */
export const runStatus = async (context: Context): Promise<void> => {
  const client = signedInClient(context)
  const [caller, report, { conflicts }] = await Promise.all([
    client.call(me),
    getHealthReport(client),
    client.call(listConflicts),
  ])
  const waiting = caller.email_verified ? await readWaiting(client) : undefined
  const { url, io } = context
  const { version = null, status = null } = report ?? {}
  const next = waiting?.upcoming[0]
  const spool = openSpool(context.environment.configDir)
  const refused = spool.refused().length
  printFields(
    context,
    {
      url,
      version,
      status,
      email: caller.email,
      email_verified: caller.email_verified,
      organization: caller.org,
      reminders_due: waiting?.due.length ?? null,
      next_reminder: next ?? null,
      conflicts: conflicts.length,
      unread_messages: waiting?.unread ?? null,
      captures_waiting: spool.names().length,
      captures_refused: refused,
    },
    {
      server: `${url} (svc ${version}, ${status})`,
      account: caller.email,
      organization: caller.org ? `${caller.org.name}, as ${caller.org.role}` : 'none (personal)',
      reminders: waiting && `${waiting.due.length} due, ${waiting.upcoming.length} to come`,
      next: next && `${formatMinute(next.due_at)} ${next.title}`,
      conflicts: conflicts.length,
      unread:
        waiting && `${waiting.unread} direct ${waiting.unread === 1 ? 'message' : 'messages'}`,
    },
  )
  if (context.json) return
  if (!waiting) io.info('Reminders and messages need a verified address. Run: svc verify --resend')
  if (waiting?.due.length) io.info('To list the reminders, run: svc reminders list')
  if (conflicts.length) io.info('To list the conflicts, run: svc conflicts list')
  if (refused) io.info('The server refused turns of assistants. To list them, run: svc spool')
  if (waiting?.unread) io.info('To list the messages, run: svc messages list')
}

/** The reminders, and the number of unread messages. Both need a verified address. */
const readWaiting = async (client: Client) => {
  const [all, threads] = await Promise.all([
    reminders.all(client),
    client.call(listDirectThreads, { query: { limit: MAX_PAGE_SIZE } }),
  ])
  return {
    due: all.filter(({ state }) => state !== 'upcoming'),
    upcoming: all.filter(({ state }) => state === 'upcoming'),
    unread: threads.reduce((sum, { unread }) => sum + unread, 0),
  }
}
