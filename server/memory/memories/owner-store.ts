import { eq, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { sharedLockCondition } from '../../platform/db/locks.ts'
import {
  memories,
  memoryChanges,
  memoryFeedback,
  memoryHistory,
  memoryProjectAliases,
  memoryStats,
  memoryThreads,
  memoryVectors,
} from './table.ts'

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

/** Without the statistics, which a writer locks last. */
const OWNED_TABLES = [
  memoryThreads,
  memories,
  memoryHistory,
  memoryVectors,
  memoryChanges,
  memoryFeedback,
  memoryProjectAliases,
]

/** Erases the rows of an owner, within the transaction that deletes the owner. */
export type Eraser = (tx: Db, ownerId: string) => Promise<void>

/**
 * Erases all memories of an owner, in the order in which a writer locks; threads a second time, because a
 * memory may have been moved to a new one meanwhile.
 * @param erasers of rows that other features derive from memories.
 */
export const createOwnerEraser =
  (erasers: readonly Eraser[]): Eraser =>
  async (tx, ownerId) => {
    const deleteFrom = async (
      ...tables: ((typeof OWNED_TABLES)[number] | typeof memoryStats)[]
    ) => {
      for (const table of tables) await tx.delete(table).where(eq(table.ownerId, ownerId))
    }
    // A million memories take minutes.
    await tx.execute(sql`set local statement_timeout = 0`)
    await deleteFrom(...OWNED_TABLES)
    for (const erase of erasers) await erase(tx, ownerId)
    await deleteFrom(memoryStats, memoryThreads)
  }
