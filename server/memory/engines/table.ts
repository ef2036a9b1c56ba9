import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'

/**
 * What the engines still have to look at: a memory's `seq` for each engine, written together with the
 * memory, and gone when the engine is done with it. While an engine is switched off its rows wait.
 */
export const memoryTasks = pgTable(
  'memory_tasks',
  {
    ownerId: uuid('owner_id').notNull(),
    engine: text().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    /** Counts how often the memory changed meanwhile: only what was seen as it is now is done. */
    revision: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.engine, table.seq] })],
)

/** Engines that were switched; one without a row is on. */
export const engineStates = pgTable('engine_states', {
  engine: text().primaryKey(),
  isEnabled: boolean('is_enabled').notNull(),
  reason: text().notNull(),
  changedBy: uuid('changed_by').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
})
