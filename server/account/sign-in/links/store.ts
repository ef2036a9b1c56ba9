import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../../users/table.ts'
import { type MailedLinkRow, mailedLinks } from './table.ts'

export type MailedLinkKind = MailedLinkRow['kind']

/** Also deletes the expired links of the same user. */
export const insertLink = async (db: Db, link: typeof mailedLinks.$inferInsert): Promise<void> => {
  await db
    .delete(mailedLinks)
    .where(and(eq(mailedLinks.userId, link.userId), lt(mailedLinks.expiresAt, sql`now()`)))
  await db.insert(mailedLinks).values(link)
}

const live = (kind: MailedLinkKind, tokenHash: string) =>
  and(
    eq(mailedLinks.tokenHash, tokenHash),
    eq(mailedLinks.kind, kind),
    isNull(mailedLinks.usedAt),
    gt(mailedLinks.expiresAt, sql`now()`),
  )

export const isLiveLink = async (
  db: Db,
  kind: MailedLinkKind,
  tokenHash: string,
): Promise<boolean> => (await db.$count(mailedLinks, live(kind, tokenHash))) > 0

/**
 * Consumes a link together with the other links of its kind. It is one statement, so that parallel
 * requests cannot use two of them.
 */
export const consumeLink = async (
  db: Db,
  kind: MailedLinkKind,
  tokenHash: string,
): Promise<MailedLinkRow | undefined> => {
  const owner = db
    .select({ userId: mailedLinks.userId })
    .from(mailedLinks)
    .where(live(kind, tokenHash))
  const consumed = await db
    .update(mailedLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(mailedLinks.userId, owner), eq(mailedLinks.kind, kind), isNull(mailedLinks.usedAt)),
    )
    .returning()
  return consumed.find((link) => link.tokenHash === tokenHash)
}

/**
 * Revokes the unused links that could take over an account: password resets, and verifications of
 * another address. A link that verifies the current address stays valid.
 */
export const revokeLinks = async (tx: Db, userId: string): Promise<void> => {
  const address = tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await tx
    .update(mailedLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(mailedLinks.userId, userId),
        isNull(mailedLinks.usedAt),
        or(eq(mailedLinks.kind, 'reset'), ne(mailedLinks.email, address)),
      ),
    )
}
