import type { Query } from '../../platform/db/database.ts'
import { sharedLockCondition } from '../../platform/db/locks.ts'

/**
 * CTEs that keep an owner, a user or an organization, from being deleted until the transaction ends. A
 * deletion locks the owner first and then all of its memories, so a statement that locks several rows of
 * an owner locks the owner before them: otherwise the two deadlock.
 */
export const lockOwner = (ownerId: string): string => `
owner_user as materialized (
  select 1 from users where id = ${ownerId} and ${sharedLockCondition('id')} for key share
),
owner_org as materialized (
  select 1 from orgs where id = ${ownerId} and ${sharedLockCondition('id')} for key share
),
owner as materialized (
  -- Organizations are not searched for an owner that is a user.
  select 1 from owner_user
  union all
  select 1 from owner_org where not exists (select from owner_user)
)`

/** A condition that PostgreSQL evaluates before it reads, and so before it locks, any row. */
export const OWNER_EXISTS = 'exists (select from owner)'

/** Whether the writer and the organization that they write for still exist. */
export const findWriter = async (
  query: Query,
  { userId, orgId }: { userId: string; orgId: string | null },
): Promise<{ userExists: boolean; orgExists: boolean }> => {
  const [row] = await query<{ user_exists: boolean; org_exists: boolean }>(
    `select exists (select from users where id = $1) as user_exists,
      $2::uuid is null or exists (select from orgs where id = $2) as org_exists`,
    [userId, orgId],
  )
  return { userExists: row?.user_exists ?? false, orgExists: row?.org_exists ?? false }
}
