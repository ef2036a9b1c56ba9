import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'
import { switchColumns } from '../../platform/switches.ts'

/**
 * Pending engine tasks: one row per memory and engine, written in the transaction of the memory and
 * deleted when the engine has processed it. The tasks of a disabled engine wait.
 */
export const memoryTasks = pgTable(
  'memory_tasks',
  {
    ownerId: uuid('owner_id').notNull(),
    engine: text().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    /** Incremented with each change of the memory: a task of an older revision is not finished. */
    revision: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.engine, table.seq] })],
)

/** The server that runs the engines of an owner now. Absent where no server does. */
export const engineLeases = pgTable(
  'engine_leases',
  {
    ownerId: uuid('owner_id').notNull(),
    worker: text({ enum: ['local', 'remote'] }).notNull(),
    /** A random id of the lease: each write of an engine checks it. */
    holder: uuid().notNull(),
    /** After a kill of the server, another one may run the engines from this time. */
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.worker] })],
)

export const engineStates = pgTable('engine_states', {
  engine: text().primaryKey(),
  ...switchColumns(),
})
