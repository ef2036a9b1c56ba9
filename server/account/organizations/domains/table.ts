import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'
import { orgs } from '../table.ts'

/** Email domains of organizations. Users with a verified address at one join as member. */
export const organizationDomains = pgTable(
  'organization_domains',
  {
    id: uuid().primaryKey(),
    orgId: uuid('org_id')
      .notNull()
      .references(() => orgs.id, { onDelete: 'cascade' }),
    /** In lower case, in ASCII (RFC 5890, A-labels), without a dot at the end. */
    domain: text().notNull(),
    /** The value that the DNS record has. It is public, like the record. */
    token: text().notNull(),
    /** Whether users join without an invite once the domain is verified. */
    joins: boolean().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null while the organization has not proved that it controls the domain, or does not any more. */
    verifiedAt: instant('verified_at'),
    /** When the DNS record was last looked for. */
    checkedAt: instant('checked_at'),
    /** When a check of the verified domain first found no record. */
    missingSince: instant('missing_since'),
  },
  (table) => [
    uniqueIndex('organization_domains_org_id').on(table.orgId, table.domain),
    /** One organization for each domain. */
    uniqueIndex('organization_domains_verified')
      .on(table.domain)
      .where(sql`verified_at is not null`),
    index('organization_domains_checked_at')
      .on(table.checkedAt)
      .where(sql`verified_at is not null`),
  ],
)

export type OrgDomainRow = typeof organizationDomains.$inferSelect

/** Users who were removed or left. They join again by an invite only. */
export const formerOrgMembers = pgTable(
  'former_org_members',
  {
    orgId: uuid('org_id')
      .notNull()
      .references(() => orgs.id, { onDelete: 'cascade' }),
    /** SHA-256 of the organization and the address, in hex. It outlives the account, which can be made again. */
    addressHash: text('address_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.addressHash] })],
)
