import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { FACT_KINDS } from '../../../shared/contract/facts.ts'
import { instant } from '../../platform/db/columns.ts'
import { memories } from '../memories/table.ts'

/** Facts that were extracted from memories. A fact is deleted with its memory. */
export const memoryFacts = pgTable(
  'memory_facts',
  {
    ownerId: uuid('owner_id').notNull(),
    factId: uuid('fact_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    kind: text({ enum: FACT_KINDS }).notNull(),
    /** `self`, or the name of a person, as written. */
    subject: text().notNull(),
    /** The relation, such as `home`, `work.employer` or `relation.sister`. */
    key: text().notNull(),
    value: text().notNull(),
    /** For preferences only. */
    isLiked: boolean('is_liked'),
    /** The sentence that it was read from, as in the memory. */
    quote: text().notNull(),
    /** For reminders only. */
    dueAt: instant('due_at'),
    /** The time zone in which `due_at` was read; UTC if null. */
    timezone: text(),
    /** `rules`, the name of the model, or `choice`. */
    extractedBy: text('extracted_by').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.factId] }),
    index('memory_facts_memory').on(table.ownerId, table.memoryId),
    index('memory_facts_key').on(table.ownerId, table.subject, table.key),
    index('memory_facts_due').on(table.ownerId, table.dueAt).where(sql`kind = 'reminder'`),
    foreignKey({
      columns: [table.ownerId, table.memoryId],
      foreignColumns: [memories.ownerId, memories.memoryId],
    }).onDelete('cascade'),
  ],
)
