import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { TIER_NAMES } from '../../../shared/schemas/billing.ts'
import type { Preferences } from '../../../shared/schemas/profile.ts'
import { instant } from '../../platform/db/columns.ts'

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** Trimmed and lower case: compared as it is stored. */
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /** Argon2id in PHC form; null for an account that only signs in through a provider. */
  passwordHash: text('password_hash'),
  username: text().notNull().unique(),
  displayName: text('display_name'),
  avatarUrl: text('avatar_url'),
  tier: text({ enum: TIER_NAMES }).notNull().default('amnesiac'),
  isAdmin: boolean('is_admin').notNull().default(false),
  onboardingCompleted: boolean('onboarding_completed').notNull().default(false),
  /** What the person asks of every conversation; empty when unset. */
  customInstructions: text('custom_instructions').notNull().default(''),
  /** Only what the person has set; defaults are filled in where it is read. */
  preferences: jsonb().$type<Partial<Preferences>>().notNull().default({}),
  /** The organization that requests act in which name none; it counts while the person is a member. */
  activeOrgId: uuid('active_org_id'),
  /** The latest that a request of theirs named: its days and hours are what they mean. */
  timezone: text().notNull().default('UTC'),
  /** Since when an admin keeps the person out; null for nearly all. */
  disabledAt: instant('disabled_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export type UserRow = typeof users.$inferSelect
