import type { Db } from '../../../platform/db/database.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { resetEmail, verificationEmail } from './emails.ts'
import { consumeLink, insertLink, isLiveLink, type LinkKind } from './store.ts'
import type { MailedLinkRow } from './table.ts'

const HOUR_MS = 60 * 60 * 1000
const LIFETIME_MS: Record<LinkKind, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** Whether a text has the format of a link token: 32 random bytes in base64url. */
export const isLinkToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export type LinkService = ReturnType<typeof createLinkService>

/** Mailed single-use links to the pages of the server. */
export const createLinkService = (mailer: Mailer, settings: { baseUrl: string }) => {
  const issue = async (tx: Db, kind: LinkKind, userId: string, email: string): Promise<string> => {
    const token = createSecret()
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
    /** Mails `email` a link that verifies the address. */
    async mailVerification(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(verificationEmail(email, await issue(tx, 'verify', userId, email)), tx)
    },

    /** Mails `email` a link that resets the password. */
    async mailReset(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(resetEmail(email, await issue(tx, 'reset', userId, email)), tx)
    },

    /** Checks a link without consuming it. */
    isLive: (db: Db, kind: LinkKind, token: string): Promise<boolean> =>
      isLiveLink(db, kind, hashSecret(token)),

    /** Consumes a link and the others of its kind. @returns undefined when the link is not valid. */
    consume: (tx: Db, kind: LinkKind, token: string): Promise<MailedLinkRow | undefined> =>
      consumeLink(tx, kind, hashSecret(token)),
  }
}
