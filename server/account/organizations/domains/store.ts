import { and, asc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { rowsOf } from '../../../platform/db/rows.ts'
import { orgInvites, orgMembers } from '../table.ts'
import { domainOfAddress } from './name.ts'
import { organizationDomains as domains, formerOrgMembers, type OrgDomainRow } from './table.ts'

/** Oldest first. */
export const listDomains = (db: Db, orgId: string): Promise<OrgDomainRow[]> =>
  db.select().from(domains).where(eq(domains.orgId, orgId)).orderBy(asc(domains.id))

export const countDomains = (db: Db, orgId: string): Promise<number> =>
  db.$count(domains, eq(domains.orgId, orgId))

const isDomain = (orgId: string, id: string) => and(eq(domains.orgId, orgId), eq(domains.id, id))

export const findDomain = async (
  db: Db,
  orgId: string,
  id: string,
): Promise<OrgDomainRow | undefined> => {
  const [row] = await db.select().from(domains).where(isDomain(orgId, id))
  return row
}

/** @returns undefined when the organization has the domain already. */
export const insertDomain = async (
  tx: Db,
  domain: typeof domains.$inferInsert,
): Promise<OrgDomainRow | undefined> => {
  const [row] = await tx.insert(domains).values(domain).onConflictDoNothing().returning()
  return row
}

export const updateDomain = async (
  tx: Db,
  orgId: string,
  id: string,
  change: Pick<OrgDomainRow, 'joins'>,
): Promise<OrgDomainRow | undefined> => {
  const [row] = await tx.update(domains).set(change).where(isDomain(orgId, id)).returning()
  return row
}

/**
 * Records that the record of a domain was found.
 * @throws the unique violation of the database when another organization has verified the domain.
 */
export const confirmDomain = async (
  tx: Db,
  orgId: string,
  id: string,
): Promise<OrgDomainRow | undefined> => {
  const [row] = await tx
    .update(domains)
    .set({
      verifiedAt: sql`coalesce(${domains.verifiedAt}, now())`,
      checkedAt: sql`now()`,
      missingSince: null,
    })
    .where(isDomain(orgId, id))
    .returning()
  return row
}

/** @returns the deleted domain. */
export const deleteDomain = async (
  tx: Db,
  orgId: string,
  id: string,
): Promise<OrgDomainRow | undefined> => {
  const [row] = await tx.delete(domains).where(isDomain(orgId, id)).returning()
  return row
}

/** Verified domains that were not checked for a day, the longest first. */
export const listDueDomains = (db: Db, limit: number): Promise<OrgDomainRow[]> =>
  db
    .select()
    .from(domains)
    .where(and(isNotNull(domains.verifiedAt), lt(domains.checkedAt, sql`now() - interval '1 day'`)))
    .orderBy(asc(domains.checkedAt))
    .limit(limit)

/** Records a check of a verified domain. `found` is undefined when the name servers gave no answer. */
export const recordCheck = async (
  db: Db,
  { orgId, id }: OrgDomainRow,
  found: boolean | undefined,
): Promise<void> => {
  await db
    .update(domains)
    .set({
      checkedAt: sql`now()`,
      ...(found === true && { missingSince: null }),
      ...(found === false && { missingSince: sql`coalesce(${domains.missingSince}, now())` }),
    })
    .where(isDomain(orgId, id))
}

/** Ends the verification of a domain whose record is missing for longer. @returns whether it did. */
export const endMissingDomain = async (
  tx: Db,
  { orgId, id }: OrgDomainRow,
  days: number,
): Promise<boolean> => {
  const isLate = lt(domains.missingSince, sql`now() - make_interval(days => ${days}::int)`)
  const rows = await tx
    .update(domains)
    .set({ verifiedAt: null })
    .where(and(isDomain(orgId, id), isNotNull(domains.verifiedAt), isLate))
    .returning({ id: domains.id })
  return rows.length > 0
}

/** Whether the organization has verified the domain of an address. */
export const ownsAddress = async (db: Db, orgId: string, email: string): Promise<boolean> => {
  const isVerified = and(
    eq(domains.orgId, orgId),
    eq(domains.domain, domainOfAddress(email) ?? ''),
    isNotNull(domains.verifiedAt),
  )
  return (await db.$count(domains, isVerified)) > 0
}

interface Joining {
  userId: string
  /** Verified. */
  email: string
  domain: string
}

/** The hash that `formerOrgMembers` stores. The migration that fills the table makes the same one. */
const addressHash = (orgId: unknown, email: string) =>
  sql<string>`encode(sha256(convert_to(${orgId}::uuid::text || ' ' || ${email}::text, 'UTF8')), 'hex')`

/**
 * Finds the organization that a user joins by a domain. Former members do not, and a user with an open
 * invite accepts it, because it has the role.
 */
export const findOrgToJoin = async (
  db: Db,
  { userId, email, domain }: Joining,
): Promise<string | undefined> => {
  // Within a statement of one table, drizzle would write the columns without the table.
  const result = await db.execute(sql`
    select d.org_id from ${domains} d
    where d.domain = ${domain} and d.verified_at is not null and d.joins
      and not exists (select from ${orgMembers} m where m.org_id = d.org_id and m.user_id = ${userId})
      and not exists (select from ${formerOrgMembers} f
        where f.org_id = d.org_id and f.address_hash = ${addressHash(sql`d.org_id`, email)})
      and not exists (select from ${orgInvites} i where i.org_id = d.org_id
        and i.email = ${email} and i.accepted_at is null and i.expires_at > now())`)
  const [row] = rowsOf<{ org_id: string }>(result)
  return row?.org_id
}

/** The user does not join by a domain again. */
export const insertFormerMember = async (tx: Db, orgId: string, email: string): Promise<void> => {
  await tx
    .insert(formerOrgMembers)
    .values({ orgId, addressHash: addressHash(orgId, email) })
    .onConflictDoNothing()
}

export const deleteFormerMember = async (tx: Db, orgId: string, email: string): Promise<void> => {
  await tx
    .delete(formerOrgMembers)
    .where(
      and(
        eq(formerOrgMembers.orgId, orgId),
        eq(formerOrgMembers.addressHash, addressHash(orgId, email)),
      ),
    )
}
