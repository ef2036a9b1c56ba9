import { desc, sql } from 'drizzle-orm'
import { emailRecipients } from '../../people/outbound-email/table.ts'
import type { Db } from '../../platform/db/database.ts'

const { state, updatedAt, address, reason } = emailRecipients

// States are not parameters, so that generic plans read the index of unsent emails only.

export const countUnsentEmails = async (db: Db) => {
  const [row] = await db
    .select({
      queued: sql<number>`count(*) filter (where ${state} = 'queued')::int`,
      failed: sql<number>`count(*) filter (where ${state} = 'failed')::int`,
      oldestQueuedAt:
        sql<Date | null>`min(${updatedAt}) filter (where ${state} = 'queued')`.mapWith(updatedAt),
    })
    .from(emailRecipients)
    .where(sql`${state} <> 'sent'`)
  return row ?? { queued: 0, failed: 0, oldestQueuedAt: null }
}

/** Newest first. */
export const listFailedEmails = (db: Db, limit: number) =>
  db
    .select({ domain: sql<string>`split_part(${address}, '@', 2)`, reason, failedAt: updatedAt })
    .from(emailRecipients)
    .where(sql`${state} = 'failed'`)
    .orderBy(desc(updatedAt))
    .limit(limit)
