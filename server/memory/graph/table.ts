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

/** Links between memories, besides those of threads. A link is deleted with either memory. */
export const memoryLinks = pgTable(
  'memory_links',
  {
    ownerId: uuid('owner_id').notNull(),
    /** The later memory, or the one whose metadata names the other. */
    memoryId: uuid('memory_id').notNull(),
    otherId: uuid('other_id').notNull(),
    /** Shared rare words, or a reference in the metadata. */
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

/** The betweenness centrality of memories (Freeman, 1977); zero without a row. */
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

/** The last computation of an owner's betweenness. */
export const memoryGraphs = pgTable('memory_graphs', {
  ownerId: uuid('owner_id').primaryKey(),
  nodeCount: integer('node_count').notNull(),
  edgeCount: integer('edge_count').notNull(),
  /** The scores are estimates from a sample of nodes. */
  isSampled: boolean('is_sampled').notNull(),
  durationMs: integer('duration_ms').notNull(),
  computedAt: instant('computed_at').notNull().defaultNow(),
})
