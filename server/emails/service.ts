import type { SendEmail } from '../../shared/contract/outbound-email.ts'
import type { FieldError } from '../../shared/errors.ts'
import { lockUserShared } from '../account/users/lock.ts'
import type { Database, Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { commonError, defineErrors } from '../platform/http/error.ts'
import type { Jobs } from '../platform/jobs.ts'
import { isEmailAddress } from '../platform/mail/address.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { UsageService } from '../usage/counts/service.ts'
import { createDelivery } from './delivery.ts'
import { countMessage, insertEmailMessage, insertEmailThread } from './store.ts'

export const outboundEmailError = defineErrors({
  email_thread_not_found: { status: 404, detail: 'Email thread not found' },
  recipient_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
})

interface NewEmail {
  /** 1-50 addresses; each receives a separate email. */
  to: string[]
  subject: string
  text: string
  html?: string | null | undefined
  /** Id of a thread of the sender. */
  replyToThread?: string | null | undefined
}

interface QueuedEmail {
  threadId: string
  messageId: string
}

export type EmailSendingService = ReturnType<typeof startEmailSending>

/** Sends emails of users with a verified address. */
export const startEmailSending = ({
  database,
  jobs,
  mailer,
  usage,
}: {
  database: Database
  jobs: Jobs
  mailer: Pick<Mailer, 'deliver' | 'newMessageId'>
  usage: Pick<UsageService, 'consume'>
}) => {
  const { db } = database
  const delivery = createDelivery(database, mailer)
  jobs.work(delivery)

  /** @returns the id of the thread. */
  const openThread = async (tx: Db, userId: string, email: NewEmail): Promise<string> => {
    if (email.replyToThread) {
      if (!(await countMessage(tx, userId, email.replyToThread)))
        throw outboundEmailError('email_thread_not_found')
      return email.replyToThread
    }
    const threadId = Bun.randomUUIDv7()
    await insertEmailThread(tx, { userId, threadId, subject: email.subject })
    return threadId
  }

  /**
   * Queues an email to each address and consumes usage for them. They are sent once `tx` is committed.
   * The caller checks that the sender's own address is verified.
   * @throws ApiError 422 for an invalid address, 404 unless the thread is the sender's, 429 if the quota
   * is used up.
   */
  const queue = async (
    tx: Db,
    sender: { userId: string },
    email: NewEmail,
  ): Promise<QueuedEmail> => {
    const { userId } = sender
    const addresses = readAddresses(email.to)
    if (!(await lockUserShared(tx, userId))) throw commonError('bad_credentials')
    const threadId = await openThread(tx, userId, email)
    await usage.consume(userId, 'emails', { count: addresses.length, tx })
    const messageId = Bun.randomUUIDv7()
    await insertEmailMessage(
      tx,
      {
        userId,
        threadId,
        messageId,
        subject: email.replyToThread ? asReply(email.subject) : email.subject,
        text: email.text,
        html: email.html || null,
      },
      addresses.map((address) => ({ address, mailId: mailer.newMessageId() })),
    )
    for (const position of addresses.keys())
      await jobs.send(delivery, { userId, threadId, messageId, position }, { tx })
    return { threadId, messageId }
  }

  return {
    queue,

    /** @throws ApiError as `queue` does. */
    async send(caller: Caller, body: SendEmail): Promise<void> {
      await db.transaction((tx) =>
        queue(tx, caller, { ...body, replyToThread: body.reply_to_thread }),
      )
    },

    /** Removes the queued jobs of a user whose account is deleted; the rows are deleted with the user. */
    erase: (tx: Db, userId: string): Promise<void> => jobs.forget(delivery, { userId }, tx),
  }
}

/** @throws ApiError 422 with a problem for each invalid address. */
const readAddresses = (texts: string[]): string[] => {
  const read = texts.map(readAddress)
  const problems = read.flatMap((address, index) =>
    address === undefined
      ? [
          {
            loc: ['body', 'to', index],
            type: 'value_error',
            msg: 'Input should be one email address, such as ada@example.com',
          },
        ]
      : [],
  )
  if (problems.length) throw outboundEmailError('recipient_invalid', problems)
  return withoutDuplicates(read.filter((address) => address !== undefined))
}

const asReply = (subject: string): string => (/^re\s*:/i.test(subject) ? subject : `Re: ${subject}`)

/** No quotes, comments, names, lists, white space or non-ASCII characters, which mail servers parse differently. */
const PLAIN = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/
/** RFC 5321, section 4.5.3.1.3: a path of 256 characters with its brackets. */
const MAX_LENGTH = 254

/**
 * Reads a recipient's address.
 * @returns the address for the envelope, with its domain in lower case; undefined unless it is one plain
 * address.
 */
export const readAddress = (text: string): string | undefined => {
  if (text.length > MAX_LENGTH || !PLAIN.test(text) || !isEmailAddress(text)) return undefined
  const at = text.indexOf('@')
  return text.slice(0, at) + text.slice(at).toLowerCase()
}

/** Keeps the first of addresses that differ only in case. */
export const withoutDuplicates = (addresses: string[]): string[] =>
  [...Map.groupBy(addresses, (address) => address.toLowerCase()).values()].flatMap((same) =>
    same.slice(0, 1),
  )
