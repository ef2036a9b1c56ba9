import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Action, Condition, Trigger } from '../../../shared/schemas/reflexes.ts'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** What a person wants done when something happens. */
export const reflexes = pgTable(
  'reflexes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reflexId: uuid('reflex_id').notNull(),
    name: text().notNull(),
    /** As in `trigger`, for the index. */
    triggerType: text('trigger_type').notNull(),
    trigger: jsonb().$type<Trigger>().notNull(),
    conditions: jsonb().$type<Condition[]>().notNull(),
    action: jsonb().$type<Action>().notNull(),
    doesConfirm: boolean('does_confirm').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    /** Why it was switched off, where that was not the person. */
    disabledReason: text('disabled_reason'),
    /** The person does not want to be asked again. */
    skipsAlways: boolean('skips_always').notNull().default(false),
    /** What its webhook is signed with, sealed. */
    sealedSecret: text('sealed_secret'),
    /** When its schedule has it fire next. */
    nextAt: instant('next_at'),
    /** Where it says what it has to say in chat. */
    chatSessionId: uuid('chat_session_id'),
    /** How often it fired within the hour that began then. */
    hourBegan: instant('hour_began'),
    hourCount: integer('hour_count').notNull().default(0),
    lastFiredAt: instant('last_fired_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.reflexId] }),
    index('reflexes_active')
      .on(table.userId, table.triggerType)
      .where(sql`is_enabled and not skips_always`),
    index('reflexes_next').on(table.nextAt).where(sql`next_at is not null`),
  ],
)

export type ReflexRow = typeof reflexes.$inferSelect
