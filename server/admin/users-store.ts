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
import { apiKeys } from '../account/access/keys/table.ts'
import { sessions } from '../account/access/sessions/table.ts'
import { type UserRow, users } from '../account/users/table.ts'
import type { Db } from '../platform/db/database.ts'
import { lockClassExclusive } from '../platform/db/locks.ts'
import { canonicalAddress } from '../platform/mail/address.ts'

export type UserWithLastSeen = UserRow & { lastSeenAt: Date | null }

const lastSeenAt = sql<Date | null>`greatest(
  (select max(s.last_seen_at) from ${sessions} s where s.user_id = users.id and s.impersonator_id is null),
  (select max(k.last_used_at) from ${apiKeys} k where k.user_id = users.id)
)`.mapWith(sessions.lastSeenAt)

const withLastSeen = (db: Db) =>
  db
    .select({ ...getTableColumns(users), lastSeenAt })
    .from(users)
    .$dynamic()

/** Newest first; `before` is the last user of the previous page. */
export const listUserRows = (
  db: Db,
  page: { part: string | undefined; limit: number; before: string | undefined },
): Promise<UserWithLastSeen[]> =>
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
  const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const pattern = patternOf(part)
  return or(
    ilike(users.email, patternOf(part.includes('@') ? canonicalAddress(part) : part)),
    ilike(users.username, pattern),
    ilike(users.displayName, pattern),
  )
}

export const findUserWithLastSeen = async (
  db: Db,
  id: string,
): Promise<UserWithLastSeen | undefined> => {
  const [row] = await withLastSeen(db).where(eq(users.id, id))
  return row
}

/** Serializes changes by admins, so that two of them cannot revoke each other at once. */
export const lockAdmins = async (tx: Db): Promise<void> => {
  await lockClassExclusive(tx, 'admins')
}

/** Locks a user's row until the end of the transaction. */
export const lockAdministeredUser = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  return row
}

/** The time of the transaction, by the clock of the database. */
export const NOW = sql`now()`

/** The columns of a user that admins change. */
export type UserColumns = {
  [K in 'disabledAt' | 'disabledByOrgId' | 'tier' | 'isAdmin']?: UserRow[K] | SQL
}

export const updateUser = async (tx: Db, id: string, change: UserColumns): Promise<void> => {
  await tx.update(users).set(change).where(eq(users.id, id))
}

/** Whether an enabled user is an admin by grant or by a verified address of the configuration. */
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
