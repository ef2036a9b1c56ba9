import {
  bigint,
  boolean,
  customType,
  integer,
  pgTable,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core'

const bitVarying = customType<{ data: string }>({ dataType: () => 'bit varying' })
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * Vectors of memories that are not deleted, one for each model, always of the current content: a statement
 * that changes the content deletes them. The index of the key includes `model`, `is_past` and `bits`, so
 * that a search reads the index alone; drizzle cannot express that, so only the migration does.
 */
export const memoryVectors = pgTable(
  'memory_vectors',
  {
    ownerId: uuid('owner_id').notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    model: integer().notNull(),
    /** The memory is superseded: only a recall as of an earlier time reads it. */
    isPast: boolean('is_past').notNull(),
    /** The sign of each dimension. */
    bits: bitVarying().notNull(),
    /** A signed 8-bit integer for each dimension. */
    embedding: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.seq, table.model] })],
)
