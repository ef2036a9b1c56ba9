import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'
import { memories } from '../memories/table.ts'

/** Links between memories beyond their threads. A link goes with either of its memories. */
export const memoryLinks = pgTable(
  'memory_links',
  {
    ownerId: uuid('owner_id').notNull(),
    /** The one that was written later, or that names the other. */
    memoryId: uuid('memory_id').notNull(),
    otherId: uuid('other_id').notNull(),
    /** They share rare words, or one names the other in its metadata. */
    kind: text({ enum: ['words', 'explicit'] }).notNull(),
    weight: doublePrecision().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.memoryId, table.otherId, table.kind] }),
    index('memory_links_other').on(table.ownerId, table.otherId),
    foreignKey({
      name: 'memory_links_memory_fk',
      columns: [table.ownerId, table.memoryId],
      foreignColumns: [memories.ownerId, memories.memoryId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'memory_links_other_fk',
      columns: [table.ownerId, table.otherId],
      foreignColumns: [memories.ownerId, memories.memoryId],
    }).onDelete('cascade'),
  ],
)

/** How much each memory joins others that would be far apart without it (Freeman, 1977). */
export const memoryBetweenness = pgTable(
  'memory_betweenness',
  {
    ownerId: uuid('owner_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    betweenness: doublePrecision().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.memoryId] }),
    index('memory_betweenness_rank').on(table.ownerId, table.betweenness),
    foreignKey({
      name: 'memory_betweenness_memory_fk',
      columns: [table.ownerId, table.memoryId],
      foreignColumns: [memories.ownerId, memories.memoryId],
    }).onDelete('cascade'),
  ],
)

/** When and of what an owner's betweenness was computed. */
export const memoryGraphs = pgTable('memory_graphs', {
  ownerId: uuid('owner_id').primaryKey(),
  nodeCount: integer('node_count').notNull(),
  edgeCount: integer('edge_count').notNull(),
  /** Estimated from some of the nodes, because there are too many. */
  isSampled: boolean('is_sampled').notNull(),
  durationMs: integer('duration_ms').notNull(),
  computedAt: instant('computed_at').notNull().defaultNow(),
})
