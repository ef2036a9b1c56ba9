import {
  and,
  desc,
  eq,
  getTableColumns,
  ilike,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { apiKeys } from '../../account/keys/table.ts'
import { sessions } from '../../account/sessions/table.ts'
import { type UserRow, users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'

/** Any constant will do: it only has to be the same in every replica. */
const ADMINS_LOCK = 7_283_746_514

export type SeenUser = UserRow & { lastSeenAt: Date | null }

const lastSeenAt = sql<Date | null>`greatest(
  (select max(s.last_seen_at) from ${sessions} s where s.user_id = users.id),
  (select max(k.last_used_at) from ${apiKeys} k where k.user_id = users.id)
)`.mapWith(sessions.lastSeenAt)

const withLastSeen = (db: Db) =>
  db
    .select({ ...getTableColumns(users), lastSeenAt })
    .from(users)
    .$dynamic()

/** Newest first; `before` is the last user of the page before. */
export const listUsers = (
  db: Db,
  page: { part: string | undefined; limit: number; before: string | undefined },
): Promise<SeenUser[]> =>
  withLastSeen(db)
    .where(
      and(
        page.part ? hasPart(page.part) : undefined,
        page.before ? lt(users.id, page.before) : undefined,
      ),
    )
    .orderBy(desc(users.id))
    .limit(page.limit)

const hasPart = (part: string): SQL | undefined => {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  return or(
    ilike(users.email, pattern),
    ilike(users.username, pattern),
    ilike(users.displayName, pattern),
  )
}

export const findSeenUser = async (db: Db, id: string): Promise<SeenUser | undefined> => {
  const [row] = await withLastSeen(db).where(eq(users.id, id))
  return row
}

/** One after the other, admins change people, so that they cannot put each other out at once. */
export const takeAdminsTurn = async (tx: Db): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`)
}

/** @returns the user as they were, whom nobody changes until the end of the transaction. */
export const holdUser = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  return row
}

export const changeUser = async (
  tx: Db,
  id: string,
  change: { [K in 'disabledAt' | 'tier' | 'isAdmin']?: UserRow[K] | SQL },
): Promise<void> => {
  await tx.update(users).set(change).where(eq(users.id, id))
}

/** Whether there is an admin who is let in: one who was made so, or who has proved one of the addresses. */
export const hasEnabledAdmin = async (tx: Db, adminEmails: string[]): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNull(users.disabledAt),
        or(
          eq(users.isAdmin, true),
          and(eq(users.emailVerified, true), inArray(users.email, adminEmails)),
        ),
      ),
    )
    .limit(1)
  return rows.length > 0
}
