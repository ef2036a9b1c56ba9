import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import type { ActivityKind } from '../../../shared/contract/activity.ts'
import { instant } from '../../platform/db/columns.ts'
import { users } from '../users/table.ts'

/** A memory of an event. Its text is not kept here, so that erasing the memory erases it. */
export interface ActivityMemoryRef {
  id: string
  score?: number
  explanation?: object
}

export const activityEvents = pgTable(
  'activity_events',
  {
    /** Ascending in the order of the commits, so that a reader of those after one misses none. */
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The user or organization whose memories it is about. */
    ownerId: uuid('owner_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<ActivityKind>().notNull(),
    keyId: uuid('key_id'),
    client: text(),
    session: text(),
    question: text(),
    subject: text(),
    /** The other person of a message, whose name is read with the event; null for svc and a deleted account. */
    peerId: uuid('peer_id'),
    count: bigint({ mode: 'number' }).notNull(),
    memories: jsonb().$type<ActivityMemoryRef[]>().notNull(),
    /** How long a search took. */
    tookMs: real('took_ms'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('activity_events_owner').on(table.ownerId, table.id),
    // For the deletion of a user.
    index('activity_events_user').on(table.userId),
    index('activity_events_peer').on(table.peerId).where(sql`peer_id is not null`),
    index('activity_events_created_at').using('brin', table.createdAt),
  ],
)

export type ActivityRow = typeof activityEvents.$inferSelect
