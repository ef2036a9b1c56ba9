import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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

export const engineStates = pgTable('engine_states', {
  engine: text().primaryKey(),
  ...switchColumns(),
})
