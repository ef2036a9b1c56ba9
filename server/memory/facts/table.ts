import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'
import { memories } from '../memories/table.ts'

/** What extraction read out of memories. A fact goes with the memory that it was read from. */
export const memoryFacts = pgTable(
  'memory_facts',
  {
    ownerId: uuid('owner_id').notNull(),
    factId: uuid('fact_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    kind: text({
      enum: ['name', 'home', 'work', 'preference', 'date', 'relation', 'reminder'],
    }).notNull(),
    /** `self`, or the name of whom it is about, as written. */
    subject: text().notNull(),
    /** What it says of the subject: `home`, `work.employer`, `relation.sister`. */
    key: text().notNull(),
    value: text().notNull(),
    /** Of a preference: liked, or disliked. */
    isLiked: boolean('is_liked'),
    /** The words that it was read from. */
    quote: text().notNull(),
    /** Of a reminder: when it is due. */
    dueAt: instant('due_at'),
    /** The time zone that this was read in; UTC, if null. */
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
