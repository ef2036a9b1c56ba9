import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
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
import type { MemoryEvent } from '../../../shared/contract/memories.ts'
import { MEMORY_TYPES, TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { instant } from '../../platform/db/columns.ts'

const serial = (name: string) => bigint(name, { mode: 'number' })

/**
 * `owner_id` is the user or the organization that the memory belongs to. It leads every key here, so that
 * the tables can be partitioned or distributed by it. `user_id` is the writer.
 */
export const memories = pgTable(
  'memories',
  {
    ownerId: uuid('owner_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    /** The key that vectors and changes refer to: half the size of the id. */
    seq: serial('seq').notNull().generatedAlwaysAsIdentity(),
    userId: uuid('user_id').notNull(),
    orgId: uuid('org_id'),
    contentText: text('content_text').notNull(),
    /** The language that its terms are made with. */
    language: text().notNull(),
    /** Its terms with their frequencies (`text/analyzer.ts`). Null: an earlier version wrote it. */
    terms: text(),
    /** That of the analyzer that made the terms. */
    termsVersion: smallint('terms_version').notNull().default(0),
    /** The first 128 bits of the SHA-256 of the content without invisible characters, or a captured message's key. */
    contentHash: uuid('content_hash').notNull(),
    /** It contains a question; it ends with one. A memory that follows a question is likely its answer. */
    asks: boolean().notNull(),
    endsAsking: boolean('ends_asking').notNull(),
    /**
     * The memory before it in its thread contained a question when this one was written. Null: an earlier
     * version wrote it, and it is not completed yet (`backfills.ts`).
     */
    followsQuestion: boolean('follows_question'),
    memoryType: text('memory_type', {
      enum: MEMORY_TYPES,
    }).notNull(),
    importance: doublePrecision().notNull(),
    tags: text().array().notNull(),
    /** The tags as they are compared (`foldLabel`). Null: as they are stored. */
    foldedTags: text('folded_tags').array(),
    /** 0 for a memory without a thread. */
    threadNo: serial('thread_no').notNull(),
    position: integer(),
    author: text(),
    /** The author as it is compared. Null: as it is stored. */
    foldedAuthor: text('folded_author'),
    /** The time zone of the request that wrote the text. Null: an earlier version wrote it. */
    timezone: text(),
    agentSlug: text('agent_slug'),
    project: text(),
    sourceKind: text('source_kind').notNull(),
    sourceRef: text('source_ref'),
    /** Set by the server from the credential and the channel, never by the writer's text. */
    trust: text({ enum: TRUST_LEVELS }).notNull().default('user'),
    /** Identifies a captured message: it is stored once, and the same text may be several messages. */
    captureKey: uuid('capture_key'),
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
      .on(table.ownerId, table.threadNo, table.contentHash, sql`coalesce(project, '')`)
      .where(sql`deleted_at is null and superseded_by is null`),
    uniqueIndex('memories_capture')
      .on(table.ownerId, table.captureKey)
      .where(sql`capture_key is not null`),
    index('memories_captured_time')
      .on(table.ownerId, sql`coalesce(occurred_at, created_at)`, table.threadNo)
      .where(sql`capture_key is not null`),
    index('memories_project').on(table.ownerId, table.project).where(sql`project is not null`),
    index('memories_superseded_by')
      .on(table.ownerId, table.supersededBy)
      .where(sql`superseded_by is not null`),
    // For the deletion of a user who wrote for an organization.
    index('memories_org_writer').on(table.userId).where(sql`org_id is not null`),
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

/** Statistics of an owner's live memories. */
export const memoryStats = pgTable('memory_stats', {
  ownerId: uuid('owner_id').primaryKey(),
  memoryCount: serial('memory_count').notNull(),
  /** The number of memories by language. */
  languages: jsonb().$type<Record<string, number>>().notNull(),
  /** The number of changes so far: an index in memory is valid at one number. */
  changeCount: bigint('change_count', { mode: 'number' }).notNull().default(0),
})

/** The last changes of an owner's memories by their numbers: a server reads those since it loaded the owner. */
export const memoryChanges = pgTable(
  'memory_changes',
  {
    ownerId: uuid('owner_id').notNull(),
    changeNo: serial('change_no').notNull(),
    seq: serial('seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.changeNo] })],
)

/** Changes of memories: the actor, and the values before. */
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

const bitVarying = customType<{ data: string }>({ dataType: () => 'bit varying' })
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * Vectors of memories that are not deleted, one for each model, always of the current content: a statement
 * that changes the content deletes them.
 */
export const memoryVectors = pgTable(
  'memory_vectors',
  {
    ownerId: uuid('owner_id').notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    model: integer().notNull(),
    /** The sign of each dimension. */
    bits: bitVarying().notNull(),
    /** A signed 8-bit integer for each dimension. */
    embedding: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.seq, table.model] })],
)

/**
 * Questions that a person marked a memory as not relevant to. A mark is erased with its memory; no foreign key says
 * so, because Citus refuses one from a table that an upgrade adds.
 */
export const memoryFeedback = pgTable(
  'memory_feedback',
  {
    ownerId: uuid('owner_id').notNull(),
    feedbackId: uuid('feedback_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    userId: uuid('user_id').notNull(),
    question: text().notNull(),
    /** The language that `terms` are made with. */
    language: text().notNull(),
    /** The stems of the question. */
    terms: text().array().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.feedbackId] }),
    index('memory_feedback_memory').on(table.ownerId, table.memoryId),
    // For the deletion of a user who marked memories of an organization.
    index('memory_feedback_user').on(table.userId),
  ],
)

/** Names of projects that were merged into another one, which memories with such a name belong to. */
export const memoryProjectAliases = pgTable(
  'memory_project_aliases',
  {
    ownerId: uuid('owner_id').notNull(),
    alias: text().notNull(),
    project: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.alias] })],
)
