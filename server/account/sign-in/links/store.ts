import { and, eq, gt, gte, isNull, lt, ne, or, sql } from 'drizzle-orm'
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
 * A verification link, also a used or expired one, and whether its account has confirmed the address since.
 * @returns undefined for an unknown token.
 */
export const findVerificationLink = async (
  db: Db,
  tokenHash: string,
): Promise<{ takesOver: boolean; isConfirmed: boolean } | undefined> => {
  const [row] = await db
    .select({
      takesOver: mailedLinks.takesOver,
      isConfirmed: sql<boolean>`${users.emailVerified} and ${users.email} = ${mailedLinks.email}`,
    })
    .from(mailedLinks)
    .innerJoin(users, eq(users.id, mailedLinks.userId))
    .where(and(eq(mailedLinks.tokenHash, tokenHash), eq(mailedLinks.kind, 'verify')))
  return row
}

/** The account and the address of a live link. @returns undefined for another token. */
export const findLiveLink = async (
  db: Db,
  kind: MailedLinkKind,
  tokenHash: string,
): Promise<{ userId: string; username: string; email: string } | undefined> => {
  const [row] = await db
    .select({ userId: users.id, username: users.username, email: mailedLinks.email })
    .from(mailedLinks)
    .innerJoin(users, eq(users.id, mailedLinks.userId))
    .where(live(kind, tokenHash))
  return row
}

/** Ends the unused links of a kind. */
export const endLinks = async (tx: Db, kind: MailedLinkKind, userId: string): Promise<void> => {
  await tx
    .update(mailedLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(mailedLinks.userId, userId), eq(mailedLinks.kind, kind), isNull(mailedLinks.usedAt)),
    )
}

/** Whether another account had the address, and can still get it back. */
export const isAddressHeld = async (db: Db, email: string, userId: string): Promise<boolean> => {
  const held = and(
    // A literal, as in the condition of the index.
    sql`${mailedLinks.kind} = 'undo'`,
    eq(mailedLinks.email, email),
    ne(mailedLinks.userId, userId),
    isNull(mailedLinks.usedAt),
    gt(mailedLinks.expiresAt, sql`now()`),
  )
  return (await db.$count(mailedLinks, held)) > 0
}

/**
 * Consumes a link together with the other links of its kind, or with the later ones if it undoes a change. It is one
 * statement, so that parallel requests cannot use two of them.
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
  const created = db
    .select({ createdAt: mailedLinks.createdAt })
    .from(mailedLinks)
    .where(live(kind, tokenHash))
  const consumed = await db
    .update(mailedLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(mailedLinks.userId, owner),
        eq(mailedLinks.kind, kind),
        isNull(mailedLinks.usedAt),
        kind === 'undo' ? gte(mailedLinks.createdAt, created) : undefined,
      ),
    )
    .returning()
  return consumed.find((link) => link.tokenHash === tokenHash)
}

/**
 * Revokes the unused links that could take over an account: password resets, and verifications of
 * another address. A link that verifies the current address stays valid, and so does one that undoes a change.
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
        ne(mailedLinks.kind, 'undo'),
        or(eq(mailedLinks.kind, 'reset'), ne(mailedLinks.email, address)),
      ),
    )
}

/**
 * Whether the owner of the mailbox asked for a sign-in before the address was verified, and has not signed in
 * since. Another link than the one that takes over may have verified it.
 */
export const awaitsTakeOver = async (tx: Db, user: { id: string; email: string }) => {
  const awaiting = and(
    eq(mailedLinks.userId, user.id),
    eq(mailedLinks.email, user.email),
    mailedLinks.takesOver,
    gt(mailedLinks.expiresAt, sql`now()`),
  )
  return (await tx.$count(mailedLinks, awaiting)) > 0
}

/** The owner of the mailbox has the account. */
export const settleTakeOvers = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(mailedLinks)
    .set({ takesOver: false })
    .where(and(eq(mailedLinks.userId, userId), mailedLinks.takesOver))
}
