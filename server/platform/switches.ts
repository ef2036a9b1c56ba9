import { boolean, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './db/columns.ts'
import type { Database, Db } from './db/database.ts'
import type { Caller } from './http/caller.ts'
import type { RequestClient } from './http/context.ts'

/** The columns of a table of switches, besides its key. A subject without a row is on. */
export const switchColumns = () => ({
  isEnabled: boolean('is_enabled').notNull(),
  reason: text().notNull(),
  changedBy: uuid('changed_by').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
})

interface SwitchState {
  isEnabled: boolean
  reason: string
  changedBy: string
  changedAt: Date
}

/** Records a switch in the audit trail. */
export type RecordSwitch<Action extends string> = (
  tx: Db,
  entry: {
    userId: string
    action: Action
    subject: string
    ip: string
    details: { enabled: boolean; reason: string }
  },
) => Promise<void>

/**
 * @returns a function that switches `subject` on or off with a reason. It stores the state, records the
 * change in the audit trail and, when switched on, starts the waiting work.
 */
export const createSwitch =
  <Action extends string>(
    { db }: Database,
    action: Action,
    record: RecordSwitch<Action>,
    startWaiting: () => Promise<void>,
  ) =>
  async (
    { caller, client, subject }: { caller: Caller; client: RequestClient; subject: string },
    { enabled, reason }: { enabled: boolean; reason: string },
    store: (tx: Db, state: SwitchState) => Promise<void>,
  ): Promise<void> => {
    const { userId } = caller
    await db.transaction(async (tx) => {
      await store(tx, { isEnabled: enabled, reason, changedBy: userId, changedAt: new Date() })
      const details = { enabled, reason }
      await record(tx, { userId, action, subject, ip: client.ip, details })
    })
    if (enabled) await startWaiting()
  }
