import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Filter } from './filter.ts'
import { conditionOf, USER_FIELDS } from './filter-store.ts'
import { type ScimUserRow, scimGroupMembers, scimGroups, scimUsers } from './table.ts'

const isUser = (orgId: string, id: string) => and(eq(scimUsers.orgId, orgId), eq(scimUsers.id, id))

/** The rows of a page, and the number of all that match. `offset` counts from 0. */
export interface ScimPage {
  filter: Filter | undefined
  offset: number
  limit: number
  /** Whether the members of groups are not needed. */
  withoutMembers?: boolean
}

/** In order of creation. */
export const listScimUsers = async (
  db: Db,
  orgId: string,
  { filter, offset, limit }: ScimPage,
): Promise<{ total: number; rows: ScimUserRow[] }> => {
  const condition = and(eq(scimUsers.orgId, orgId), filter && conditionOf(filter, USER_FIELDS))
  const total = await db.$count(scimUsers, condition)
  if (limit === 0 || offset >= total) return { total, rows: [] }
  const rows = await db
    .select()
    .from(scimUsers)
    .where(condition)
    .orderBy(asc(scimUsers.id))
    .offset(offset)
    .limit(limit)
  return { total, rows }
}

export const countScimUsers = (db: Db, orgId: string): Promise<number> =>
  db.$count(scimUsers, eq(scimUsers.orgId, orgId))

export const findScimUser = async (
  db: Db,
  orgId: string,
  id: string,
): Promise<ScimUserRow | undefined> => {
  const [row] = await db.select().from(scimUsers).where(isUser(orgId, id))
  return row
}

/** @throws the unique violation of the database for a userName, an address or an account that is taken. */
export const insertScimUser = async (
  tx: Db,
  values: typeof scimUsers.$inferInsert,
): Promise<ScimUserRow> => {
  const [row] = await tx.insert(scimUsers).values(values).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

type UserChange = Partial<
  Pick<ScimUserRow, 'userName' | 'externalId' | 'email' | 'isActive' | 'attributes'>
>

/** Increments the version. @throws as `insertScimUser`. */
export const updateScimUser = async (
  tx: Db,
  orgId: string,
  id: string,
  change: UserChange,
): Promise<void> => {
  await tx
    .update(scimUsers)
    .set({ ...change, version: sql`${scimUsers.version} + 1`, updatedAt: sql`now()` })
    .where(isUser(orgId, id))
}

/** The user of an organization that an account is linked to. */
export const findScimUserOf = async (
  tx: Db,
  orgId: string,
  userId: string,
): Promise<ScimUserRow | undefined> => {
  const [row] = await tx
    .select()
    .from(scimUsers)
    .where(and(eq(scimUsers.orgId, orgId), eq(scimUsers.userId, userId)))
  return row
}

/** Links the account, and sets whether a deactivation ended its membership. */
export const setAccount = async (
  tx: Db,
  { orgId, id }: ScimUserRow,
  change: Partial<Pick<ScimUserRow, 'userId' | 'endedMembership'>>,
): Promise<void> => {
  await tx.update(scimUsers).set(change).where(isUser(orgId, id))
}

/** Links the account that accepted the invite of a SCIM user. */
export const linkAcceptedAccount = async (
  tx: Db,
  { orgId, email, userId }: { orgId: string; email: string; userId: string },
): Promise<void> => {
  const isInvited = and(eq(scimUsers.email, email), isNull(scimUsers.userId))
  const linked = sql`exists (select from ${scimUsers} o where o.org_id = ${orgId} and o.user_id = ${userId})`
  await tx
    .update(scimUsers)
    .set({ userId })
    .where(and(eq(scimUsers.orgId, orgId), isInvited, sql`not ${linked}`))
}

/** Deletes a user, and changes the versions of its groups. */
export const deleteScimUser = async (tx: Db, orgId: string, id: string): Promise<void> => {
  const itsGroups = sql`select m.group_id from ${scimGroupMembers} m where m.scim_user_id = ${id}`
  await tx
    .update(scimGroups)
    .set({ version: sql`${scimGroups.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(scimGroups.orgId, orgId), sql`${scimGroups.id} in (${itsGroups})`))
  await tx.delete(scimUsers).where(isUser(orgId, id))
}

/** The columns of an account that SCIM changes. */
type AccountColumns = Partial<
  Record<'managedByOrgId' | 'disabledByOrgId', string | null> & {
    displayName: string
    disabledAt: SQL | null
  }
>

/** The time of the transaction, by the clock of the database. */
export const NOW = sql`now()`

export const updateAccount = async (tx: Db, id: string, columns: AccountColumns): Promise<void> => {
  await tx.update(users).set(columns).where(eq(users.id, id))
}
