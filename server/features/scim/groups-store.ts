import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { conditionOf, GROUP_FIELDS } from './filter-store.ts'
import { type ScimGroupRow, scimGroupMembers, scimGroups, scimUsers } from './table.ts'
import type { ScimPage } from './users-store.ts'

const isGroup = (orgId: string, id: string) =>
  and(eq(scimGroups.orgId, orgId), eq(scimGroups.id, id))

/** In order of creation. */
export const listScimGroups = async (
  db: Db,
  orgId: string,
  { filter, offset, limit }: ScimPage,
): Promise<{ total: number; rows: ScimGroupRow[] }> => {
  const condition = and(eq(scimGroups.orgId, orgId), filter && conditionOf(filter, GROUP_FIELDS))
  const total = await db.$count(scimGroups, condition)
  if (limit === 0 || offset >= total) return { total, rows: [] }
  const rows = await db
    .select()
    .from(scimGroups)
    .where(condition)
    .orderBy(asc(scimGroups.id))
    .offset(offset)
    .limit(limit)
  return { total, rows }
}

/** The numbers of members of groups. */
export const countGroupMembers = async (
  db: Db,
  groupIds: string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .select({ id: scimGroupMembers.groupId, members: count() })
    .from(scimGroupMembers)
    .where(inArray(scimGroupMembers.groupId, groupIds))
    .groupBy(scimGroupMembers.groupId)
  return new Map(rows.map(({ id, members }) => [id, members]))
}

export const countScimGroups = (db: Db, orgId: string): Promise<number> =>
  db.$count(scimGroups, eq(scimGroups.orgId, orgId))

export const findScimGroup = async (
  db: Db,
  orgId: string,
  id: string,
): Promise<ScimGroupRow | undefined> => {
  const [row] = await db.select().from(scimGroups).where(isGroup(orgId, id))
  return row
}

/** @throws the unique violation of the database for a displayName that is taken. */
export const insertScimGroup = async (
  tx: Db,
  values: typeof scimGroups.$inferInsert,
): Promise<ScimGroupRow> => {
  const [row] = await tx.insert(scimGroups).values(values).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/** Increments the version. @throws as `insertScimGroup`. */
export const updateScimGroup = async (
  tx: Db,
  orgId: string,
  id: string,
  change: Partial<Pick<ScimGroupRow, 'displayName' | 'externalId'>>,
): Promise<void> => {
  await tx
    .update(scimGroups)
    .set({ ...change, version: sql`${scimGroups.version} + 1`, updatedAt: sql`now()` })
    .where(isGroup(orgId, id))
}

export const deleteScimGroup = async (tx: Db, orgId: string, id: string): Promise<boolean> => {
  const rows = await tx
    .delete(scimGroups)
    .where(isGroup(orgId, id))
    .returning({ id: scimGroups.id })
  return rows.length > 0
}

export interface GroupMember {
  groupId: string
  scimUserId: string
  userName: string
}

/** The members of groups, in order of their creation. */
export const listGroupMembers = (db: Db, groupIds: string[]): Promise<GroupMember[]> =>
  db
    .select({
      groupId: scimGroupMembers.groupId,
      scimUserId: scimGroupMembers.scimUserId,
      userName: scimUsers.userName,
    })
    .from(scimGroupMembers)
    .innerJoin(scimUsers, eq(scimUsers.id, scimGroupMembers.scimUserId))
    .where(inArray(scimGroupMembers.groupId, groupIds))
    .orderBy(asc(scimGroupMembers.scimUserId))

const idsIn = (ids: string[]): SQL =>
  sql`select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`

/** @returns how many of the ids are users of the organization; they become members. */
export const insertGroupMembers = async (
  tx: Db,
  orgId: string,
  groupId: string,
  ids: string[],
): Promise<number> => {
  const added = tx
    .select({ groupId: sql<string>`${groupId}::uuid`.as('group_id'), scimUserId: scimUsers.id })
    .from(scimUsers)
    .where(and(eq(scimUsers.orgId, orgId), sql`${scimUsers.id} in (${idsIn(ids)})`))
  const rows = await tx
    .insert(scimGroupMembers)
    .select(added)
    .returning({ id: scimGroupMembers.scimUserId })
  return rows.length
}

export const deleteGroupMembers = async (tx: Db, groupId: string, ids: string[]): Promise<void> => {
  await tx
    .delete(scimGroupMembers)
    .where(
      and(
        eq(scimGroupMembers.groupId, groupId),
        sql`${scimGroupMembers.scimUserId} in (${idsIn(ids)})`,
      ),
    )
}
