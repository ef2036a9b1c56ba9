import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type MailedLinkRow, mailedLinks } from './table.ts'

export type LinkKind = MailedLinkRow['kind']

/** Adds a link, and forgets those of the same person that have expired. */
export const insertLink = async (db: Db, link: typeof mailedLinks.$inferInsert): Promise<void> => {
  await db
    .delete(mailedLinks)
    .where(and(eq(mailedLinks.userId, link.userId), lt(mailedLinks.expiresAt, sql`now()`)))
  await db.insert(mailedLinks).values(link)
}

const live = (kind: LinkKind, tokenHash: string) =>
  and(
    eq(mailedLinks.tokenHash, tokenHash),
    eq(mailedLinks.kind, kind),
    isNull(mailedLinks.usedAt),
    gt(mailedLinks.expiresAt, sql`now()`),
  )

export const isLiveLink = async (db: Db, kind: LinkKind, tokenHash: string): Promise<boolean> =>
  (await db.$count(mailedLinks, live(kind, tokenHash))) > 0

/**
 * Uses a link and with it ends the others of its kind, in one statement, so that of any that are
 * used at once only one is taken.
 */
export const takeLink = async (
  db: Db,
  kind: LinkKind,
  tokenHash: string,
): Promise<MailedLinkRow | undefined> => {
  const owner = db
    .select({ userId: mailedLinks.userId })
    .from(mailedLinks)
    .where(live(kind, tokenHash))
  const ended = await db
    .update(mailedLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(mailedLinks.userId, owner), eq(mailedLinks.kind, kind), isNull(mailedLinks.usedAt)),
    )
    .returning()
  return ended.find((link) => link.tokenHash === tokenHash)
}
