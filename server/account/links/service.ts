import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/database.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { hashSecret } from '../keys/token.ts'
import { resetLetter, verificationLetter } from './letters.ts'
import { insertLink, isLiveLink, type LinkKind, takeLink } from './store.ts'
import type { MailedLinkRow } from './table.ts'

const HOUR_MS = 60 * 60 * 1000
const LIFETIME_MS: Record<LinkKind, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** Whether a text has the form of our links' tokens: 32 random bytes in base64url. */
export const isLinkToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export type LinkService = ReturnType<typeof createLinkService>

/** Secret links to the pages of the server: mailed once, kept as a hash, good for one use. */
export const createLinkService = (mailer: Mailer, settings: { baseUrl: string }) => {
  const issue = async (tx: Db, kind: LinkKind, userId: string, email: string): Promise<string> => {
    const token = randomBytes(32).toString('base64url')
    await insertLink(tx, {
      id: Bun.randomUUIDv7(),
      userId,
      kind,
      email,
      tokenHash: hashSecret(token),
      expiresAt: new Date(Date.now() + LIFETIME_MS[kind]),
    })
    return `${settings.baseUrl}/${kind}?token=${token}`
  }

  return {
    /** Mails `email` a link that proves it to be the address of the account. */
    async mailVerification(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(verificationLetter(email, await issue(tx, 'verify', userId, email)), tx)
    },

    /** Mails `email` a link that lets its reader choose a new password. */
    async mailReset(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(resetLetter(email, await issue(tx, 'reset', userId, email)), tx)
    },

    /** Whether the link could be used now; it is not used up by asking. */
    isLive: (db: Db, kind: LinkKind, token: string): Promise<boolean> =>
      isLiveLink(db, kind, hashSecret(token)),

    /** Uses a link up, and with it the others of its kind. @returns undefined when it was not live. */
    take: (tx: Db, kind: LinkKind, token: string): Promise<MailedLinkRow | undefined> =>
      takeLink(tx, kind, hashSecret(token)),
  }
}
