import { errorText } from '../../../shared/errors.ts'
import type {
  EmailQuery,
  EmailThread,
  EmailThreadDetail,
  EmailThreads,
  SendEmail,
} from '../../../shared/schemas/outbound-email.ts'
import { holdUser } from '../../account/users/hold.ts'
import type { UsageService } from '../../billing/usage/service.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { readAddress, withoutDoubles } from './address.ts'
import { createDelivery } from './delivery.ts'
import { presentMessage, presentThread } from './present.ts'
import {
  countStates,
  findThread,
  insertMessage,
  insertThread,
  listMessages,
  listRecipients,
  listThreads,
  touchThread,
} from './store.ts'
import type { EmailThreadRow } from './table.ts'

/** What somebody mails. */
export interface NewEmail {
  /** 1-50 addresses; each is sent a mail of its own. */
  to: string[]
  subject: string
  text: string
  html?: string | null | undefined
  /** A thread of the sender's. */
  replyToThread?: string | null | undefined
}

export interface QueuedEmail {
  threadId: string
  messageId: string
}

export type EmailSendingService = Awaited<ReturnType<typeof startEmailSending>>

/** Sends the mails of people whose addresses are verified. */
export const startEmailSending = async ({
  database,
  jobs,
  mailer,
  usage,
}: {
  database: Database
  jobs: Jobs
  mailer: Pick<Mailer, 'deliver' | 'newMessageId'>
  usage: Pick<UsageService, 'take'>
}) => {
  const { db } = database
  const delivery = createDelivery(database, mailer)
  await jobs.work(delivery)

  /** @returns the id of the thread. */
  const openThread = async (tx: Db, userId: string, mail: NewEmail): Promise<string> => {
    if (mail.replyToThread) {
      if (!(await touchThread(tx, userId, mail.replyToThread))) throw threadNotFound()
      return mail.replyToThread
    }
    const threadId = Bun.randomUUIDv7()
    await insertThread(tx, { userId, threadId, subject: mail.subject })
    return threadId
  }

  /**
   * Queues a mail to each address, and counts them, within a transaction of the caller's: all of them
   * are sent once it is committed, or none. The sender's own address has to be verified.
   * @throws ApiError 422 for what is not a plain address, 404 for a thread that is not the sender's,
   * 429 when not as many mails are left.
   */
  const queue = async (
    tx: Db,
    sender: { userId: string },
    mail: NewEmail,
  ): Promise<QueuedEmail> => {
    const { userId } = sender
    const addresses = readAddresses(mail.to)
    if (!(await holdUser(tx, userId))) throw new ApiError(401, errorText.badCredentials)
    const threadId = await openThread(tx, userId, mail)
    await usage.take(userId, 'emails', { count: addresses.length, tx })
    const messageId = Bun.randomUUIDv7()
    await insertMessage(
      tx,
      {
        userId,
        threadId,
        messageId,
        subject: mail.replyToThread ? asReply(mail.subject) : mail.subject,
        text: mail.text,
        html: mail.html || null,
      },
      addresses.map((address) => ({ address, mailId: mailer.newMessageId() })),
    )
    for (const position of addresses.keys())
      await jobs.send(delivery, { userId, threadId, messageId, position }, { tx })
    return { threadId, messageId }
  }

  const withStates = async (userId: string, threads: EmailThreadRow[]): Promise<EmailThread[]> => {
    const ids = threads.map(({ threadId }) => threadId)
    const counts = await countStates(db, userId, ids)
    return threads.map((thread) => presentThread(thread, counts))
  }

  return {
    queue,

    /** @throws ApiError as `queue` does. */
    async send(caller: Caller, body: SendEmail): Promise<void> {
      await db.transaction((tx) =>
        queue(tx, caller, { ...body, replyToThread: body.reply_to_thread }),
      )
    },

    /** Takes back what waits of somebody whose account is deleted; the mails themselves go with it. */
    erase: (tx: Db, userId: string): Promise<void> => jobs.forget(delivery, { userId }, tx),

    /** A page of the caller's threads, the one last written to first. */
    async threads({ userId }: Caller, { limit, cursor }: EmailQuery): Promise<EmailThreads> {
      const rows = await listThreads(db, userId, { limit: limit + 1, before: cursor })
      const page = rows.slice(0, limit)
      return {
        threads: await withStates(userId, page),
        next_cursor: rows.length > limit ? (page.at(-1)?.threadId ?? null) : null,
      }
    },

    /** A thread with a page of its messages, newest first. @throws ApiError 404 when it is not the caller's. */
    async thread(
      { userId }: Caller,
      threadId: string,
      { limit, cursor }: EmailQuery,
    ): Promise<EmailThreadDetail> {
      const row = await findThread(db, userId, threadId)
      const [thread] = row ? await withStates(userId, [row]) : []
      if (!thread) throw threadNotFound()
      const rows = await listMessages(db, userId, threadId, { limit: limit + 1, before: cursor })
      const page = rows.slice(0, limit)
      const ids = page.map(({ messageId }) => messageId)
      const recipients = Map.groupBy(
        await listRecipients(db, userId, threadId, ids),
        ({ messageId }) => messageId,
      )
      return {
        ...thread,
        messages: page.map((message) =>
          presentMessage(message, recipients.get(message.messageId) ?? []),
        ),
        next_cursor: rows.length > limit ? (page.at(-1)?.messageId ?? null) : null,
      }
    },
  }
}

/** @throws ApiError 422 naming each that is not a plain address. */
const readAddresses = (given: string[]): string[] => {
  const read = given.map(readAddress)
  const faults = read.flatMap((address, index) =>
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
  if (faults.length) throw new ApiError(422, faults)
  return withoutDoubles(read.filter((address) => address !== undefined))
}

const asReply = (subject: string): string => (/^re\s*:/i.test(subject) ? subject : `Re: ${subject}`)

const threadNotFound = () => new ApiError(404, 'Email thread not found')
