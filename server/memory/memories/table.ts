import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { MemoryEvent } from '../../../shared/schemas/memory.ts'
import { instant } from '../../platform/db/columns.ts'

const serial = (name: string) => bigint(name, { mode: 'number' })

/**
 * `owner_id` is whose memory it is: the person's id, or the organization's for what its members
 * share. It leads every key here, so that the tables can be partitioned or distributed by it.
 * `user_id` is who wrote it.
 */
export const memories = pgTable(
  'memories',
  {
    ownerId: uuid('owner_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    /** A short name for postings to point at: half the size of the id. */
    seq: serial('seq').notNull().generatedAlwaysAsIdentity(),
    userId: uuid('user_id').notNull(),
    orgId: uuid('org_id'),
    contentText: text('content_text').notNull(),
    /** The text search configuration of PostgreSQL that makes its stems. */
    language: text().notNull(),
    /** What stems are made of where that is not the content as it stands. */
    searchText: text('search_text'),
    /** The first 128 bits of the content's SHA-256. */
    contentHash: uuid('content_hash').notNull(),
    /** It contains a question; it ends with one. What follows a question is likely its answer. */
    asks: boolean().notNull(),
    endsAsking: boolean('ends_asking').notNull(),
    memoryType: text('memory_type', {
      enum: ['semantic', 'episodic', 'procedural', 'preference'],
    }).notNull(),
    importance: doublePrecision().notNull(),
    tags: text().array().notNull(),
    /** The thread it belongs to; 0 for none. */
    threadNo: serial('thread_no').notNull(),
    position: integer(),
    author: text(),
    agentSlug: text('agent_slug'),
    sourceKind: text('source_kind').notNull(),
    sourceRef: text('source_ref'),
    metadata: jsonb().$type<Record<string, unknown>>().notNull(),
    occurredAt: instant('occurred_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    validFrom: instant('valid_from'),
    validTo: instant('valid_to'),
    supersedes: uuid(),
    supersededBy: uuid('superseded_by'),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.memoryId] }),
    uniqueIndex('memories_seq').on(table.ownerId, table.seq),
    index('memories_thread').on(table.ownerId, table.threadNo, table.position, table.seq),
    index('memories_time').on(table.ownerId, sql`coalesce(occurred_at, created_at)`, table.seq),
    uniqueIndex('memories_content')
      .on(table.ownerId, table.threadNo, table.contentHash)
      .where(sql`deleted_at is null and superseded_by is null`),
    index('memories_forgotten').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
)

export type MemoryRow = typeof memories.$inferSelect

/** The conversations and documents that memories are part of. */
export const memoryThreads = pgTable(
  'memory_threads',
  {
    ownerId: uuid('owner_id').notNull(),
    threadNo: serial('thread_no').notNull().generatedAlwaysAsIdentity(),
    thread: text().notNull(),
    lastPosition: integer('last_position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.threadNo] }),
    uniqueIndex('memory_threads_thread').on(table.ownerId, table.thread),
  ],
)

/** Who wrote memories, by the stems of their names: how a question that names somebody is told. */
export const memoryAuthors = pgTable(
  'memory_authors',
  {
    ownerId: uuid('owner_id').notNull(),
    term: text().notNull(),
    author: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.term, table.author] })],
)

/** What BM25 needs to know of an owner's memories as a whole. */
export const memoryStats = pgTable('memory_stats', {
  ownerId: uuid('owner_id').primaryKey(),
  memoryCount: serial('memory_count').notNull(),
  wordCount: serial('word_count').notNull(),
  /** How many memories were written in each language. */
  languages: jsonb().$type<Record<string, number>>().notNull(),
})

const postingColumns = {
  ownerId: uuid('owner_id').notNull(),
  term: text().notNull(),
  seq: serial('seq').notNull(),
  frequency: smallint().notNull(),
  length: smallint().notNull(),
}

/**
 * The inverted index: in which memory a term stands, how often, and how long that memory is.
 * All columns are in the key, so that recall reads the index alone and never the table.
 */
export const postings = pgTable('memory_postings', postingColumns, (table) => [
  primaryKey({
    columns: [table.ownerId, table.term, table.seq, table.frequency, table.length],
  }),
])

/** The same of superseded memories: only a recall as of another time reads it. */
export const pastPostings = pgTable('memory_past_postings', postingColumns, (table) => [
  primaryKey({
    name: 'memory_past_postings_pk',
    columns: [table.ownerId, table.term, table.seq, table.frequency, table.length],
  }),
])

/** What changed a memory, who did it, and what it was before. */
export const memoryHistory = pgTable(
  'memory_history',
  {
    ownerId: uuid('owner_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    id: uuid().notNull(),
    action: text({ enum: ['updated', 'superseded', 'deleted', 'restored'] }).notNull(),
    actorKind: text('actor_kind').notNull(),
    actorRef: text('actor_ref'),
    before: jsonb().$type<NonNullable<MemoryEvent['before']>>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.memoryId, table.id] })],
)
