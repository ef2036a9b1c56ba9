import type { Database } from '../platform/db/database.ts'
import { FinalFailure } from '../platform/job-workers.ts'
import type { JobKind } from '../platform/jobs.ts'
import type { Mailer, PersonalMail } from '../platform/mail/mailer.ts'
import { MailRefused } from '../platform/mail/transport.ts'
import { type EmailKey, findQueuedEmail, listEarlierMailIds, settleEmail } from './store.ts'

/** Delivery is retried for this time. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000
/** More than fit into MAX_AGE_MS, which ends the retries. */
const RETRIES = 300
/** The References header names the first email of a thread and the last ones. */
const MAX_REFERENCES = 20
const MAX_REASON_LENGTH = 300

type QueuedEmail = NonNullable<Awaited<ReturnType<typeof findQueuedEmail>>>

/**
 * Sends one email to one address. The job reads it from the database, so that an email of a deleted
 * account is not sent, and a sent one is not sent again.
 */
export const createDelivery = (
  { db }: Database,
  mailer: Pick<Mailer, 'deliver'>,
): JobKind<EmailKey> => {
  /** Emails that were sent but not yet settled: a retry after a database failure only settles them. */
  const sent = new Set<string>()

  const send = async (key: EmailKey, email: QueuedEmail): Promise<void> => {
    if (sent.has(email.mailId)) return
    if (email.senderDisabledAt) throw new SenderDisabled('The sender is disabled')
    await mailer.deliver(compose(email, await listEarlierMailIds(db, key, email.address)))
    sent.add(email.mailId)
  }

  return {
    name: 'outbound-email',
    retries: RETRIES,
    concurrency: 2,
    async run(key) {
      const email = await findQueuedEmail(db, key)
      if (!email) return
      try {
        await send(key, email)
      } catch (error) {
        const reason = finalFailureReason(error, email)
        if (reason === undefined) throw error
        await settleEmail(db, key, { state: 'failed', reason })
        throw new FinalFailure('an email was rejected', { cause: error })
      }
      await settleEmail(db, key, { state: 'sent' })
      sent.delete(email.mailId)
    },
  }
}

class SenderDisabled extends Error {
  override name = 'SenderDisabled'
}

const compose = (email: QueuedEmail, earlier: string[]): PersonalMail => ({
  to: email.address,
  subject: email.subject,
  text: email.text,
  html: email.html,
  messageId: email.mailId,
  // Control and bidirectional formatting characters could disguise the address after the name.
  sender: (email.senderName ?? '').replace(/\p{C}/gu, '').trim() || email.senderUsername,
  replyTo: email.senderAddress,
  references:
    earlier.length > MAX_REFERENCES
      ? [...earlier.slice(0, 1), ...earlier.slice(1 - MAX_REFERENCES)]
      : earlier,
})

/** @returns undefined if a retry may succeed. */
const finalFailureReason = (error: unknown, { createdAt }: QueuedEmail): string | undefined => {
  if (error instanceof MailRefused) return toOneLine(error.reply) || 'The mail server rejected it'
  if (Date.now() - createdAt.getTime() < MAX_AGE_MS) return undefined
  return error instanceof SenderDisabled
    ? 'The account of the sender is disabled'
    : 'The mail server did not accept it for a day'
}

const toOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH)
