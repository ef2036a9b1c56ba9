import type { Database } from '../../platform/db/database.ts'
import { FinalFailure, type JobKind } from '../../platform/jobs.ts'
import type { Mailer, PersonalMail } from '../../platform/mail/mailer.ts'
import { MailRefused } from '../../platform/mail/transport.ts'
import { earlierMailIds, findWaiting, type MailKey, settleMail } from './store.ts'

/** What is not taken in this time is given up. */
const PATIENCE_MS = 24 * 60 * 60 * 1000
/** At least as many as PATIENCE_MS has room for: the clock ends the tries, not their number. */
const RETRIES = 300
/** Of a long thread, the mails that a new one refers to: its first and the last of it. */
const MAX_REFERENCES = 20
const MAX_REASON_LENGTH = 300

type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>

/**
 * Sends one mail to one address. What is to be sent stands in the database, not in the job: a mail
 * whose sender has deleted their account is not there any more, and one that was sent is not sent again.
 */
export const createDelivery = (
  { db }: Database,
  mailer: Pick<Mailer, 'deliver'>,
): JobKind<MailKey> => {
  /** Taken by the mail server, and not noted yet: should the database fail just then, it is only noted. */
  const taken = new Set<string>()

  const send = async (key: MailKey, mail: Waiting): Promise<void> => {
    if (taken.has(mail.mailId)) return
    if (mail.senderDisabledAt) throw new SenderDisabled('its sender is disabled')
    await mailer.deliver(compose(mail, await earlierMailIds(db, key, mail.address)))
    taken.add(mail.mailId)
  }

  return {
    name: 'outbound-email',
    retries: RETRIES,
    concurrency: 2,
    async run(key) {
      const mail = await findWaiting(db, key)
      if (!mail) return
      try {
        await send(key, mail)
      } catch (error) {
        const reason = reasonToGiveUp(error, mail)
        if (reason === undefined) throw error
        await settleMail(db, key, { state: 'failed', reason })
        throw new FinalFailure('a mail was not taken', { cause: error })
      }
      await settleMail(db, key, { state: 'sent' })
      taken.delete(mail.mailId)
    },
  }
}

class SenderDisabled extends Error {
  override name = 'SenderDisabled'
}

const compose = (mail: Waiting, earlier: string[]): PersonalMail => ({
  to: mail.address,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  messageId: mail.mailId,
  // Marks that turn the direction of writing, and the like, could hide what stands after the name.
  sender: (mail.senderName ?? '').replace(/\p{C}/gu, '').trim() || mail.senderUsername,
  replyTo: mail.senderAddress,
  references:
    earlier.length > MAX_REFERENCES
      ? [...earlier.slice(0, 1), ...earlier.slice(1 - MAX_REFERENCES)]
      : earlier,
})

/** @returns undefined where another try may help. */
const reasonToGiveUp = (error: unknown, { createdAt }: Waiting): string | undefined => {
  if (error instanceof MailRefused) return inOneLine(error.reply) || 'The mail server refused it'
  if (Date.now() - createdAt.getTime() < PATIENCE_MS) return undefined
  return error instanceof SenderDisabled
    ? 'The account of its sender was disabled'
    : 'The mail server did not take it for a day'
}

const inOneLine = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH)
