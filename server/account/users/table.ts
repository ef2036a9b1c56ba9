import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Preferences } from '../../../shared/contract/preferences.ts'
import { DEFAULT_TIER, TIER_NAMES } from '../../../shared/tiers.ts'
import { instant } from '../../platform/db/columns.ts'

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** As `canonicalAddress` returns it. */
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /** Argon2id in PHC format; null for an account that signs in only through an OAuth provider. */
  passwordHash: text('password_hash'),
  username: text().notNull().unique(),
  displayName: text('display_name'),
  avatarUrl: text('avatar_url'),
  tier: text({ enum: TIER_NAMES }).notNull().default(DEFAULT_TIER),
  isAdmin: boolean('is_admin').notNull().default(false),
  onboardingCompleted: boolean('onboarding_completed').notNull().default(false),
  /** Added to every prompt; empty when unset. */
  customInstructions: text('custom_instructions').notNull().default(''),
  /** Only the keys that the user has set. */
  preferences: jsonb().$type<Partial<Preferences>>().notNull().default({}),
  /** The organization of requests without `X-Org-ID`; ignored when the user is not a member of it. */
  activeOrgId: uuid('active_org_id'),
  /** IANA name, from the latest `X-Timezone` header. */
  timezone: text().notNull().default('UTC'),
  /** When an admin or the organization that manages the account disabled it. */
  disabledAt: instant('disabled_at'),
  /** The organization whose identity provider created the account. */
  managedByOrgId: uuid('managed_by_org_id'),
  /** The organization whose identity provider disabled the account; null: an admin did. */
  disabledByOrgId: uuid('disabled_by_org_id'),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export type UserRow = typeof users.$inferSelect
