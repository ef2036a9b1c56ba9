import type {
  EmailMessage,
  EmailQuery,
  EmailThread,
  EmailThreadDetail,
  EmailThreads,
} from '../../shared/contract/outbound-email.ts'
import type { Database } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { outboundEmailError } from './service.ts'
import {
  countStates,
  findEmailThread,
  listEmailMessages,
  listEmailRecipients,
  listEmailThreadRows,
  type StateCount,
} from './store.ts'
import type { EmailMessageRow, EmailRecipientRow, EmailThreadRow } from './table.ts'

export type EmailThreadService = ReturnType<typeof createEmailThreadService>

/** Reads the email threads of a user. */
export const createEmailThreadService = ({ db }: Database) => {
  const withStates = async (userId: string, threads: EmailThreadRow[]): Promise<EmailThread[]> => {
    const ids = threads.map(({ threadId }) => threadId)
    const counts = await countStates(db, userId, ids)
    return threads.map((thread) => presentEmailThread(thread, counts))
  }

  return {
    /** A page of the caller's threads by their last message, newest first. */
    async list({ userId }: Caller, { limit, cursor }: EmailQuery): Promise<EmailThreads> {
      const rows = await listEmailThreadRows(db, userId, { limit: limit + 1, before: cursor })
      const page = rows.slice(0, limit)
      return {
        threads: await withStates(userId, page),
        next_cursor: rows.length > limit ? (page.at(-1)?.threadId ?? null) : null,
      }
    },

    /** A thread with a page of its messages, newest first. @throws ApiError 404 unless it is the caller's. */
    async get(
      { userId }: Caller,
      threadId: string,
      { limit, cursor }: EmailQuery,
    ): Promise<EmailThreadDetail> {
      const row = await findEmailThread(db, userId, threadId)
      const [thread] = row ? await withStates(userId, [row]) : []
      if (!thread) throw outboundEmailError('email_thread_not_found')
      const rows = await listEmailMessages(db, userId, threadId, {
        limit: limit + 1,
        before: cursor,
      })
      const page = rows.slice(0, limit)
      const ids = page.map(({ messageId }) => messageId)
      const recipients = Map.groupBy(
        await listEmailRecipients(db, userId, threadId, ids),
        ({ messageId }) => messageId,
      )
      return {
        ...thread,
        messages: page.map((message) =>
          presentEmailMessage(message, recipients.get(message.messageId) ?? []),
        ),
        next_cursor: rows.length > limit ? (page.at(-1)?.messageId ?? null) : null,
      }
    },
  }
}

const presentEmailThread = (row: EmailThreadRow, counts: StateCount[]): EmailThread => {
  const inState = (state: EmailRecipientRow['state']) =>
    counts.find((each) => each.threadId === row.threadId && each.state === state)?.count ?? 0
  return {
    thread_id: row.threadId,
    subject: row.subject,
    message_count: row.messageCount,
    created_at: row.createdAt.toISOString(),
    last_message_at: row.lastMessageAt.toISOString(),
    queued: inState('queued'),
    sent: inState('sent'),
    failed: inState('failed'),
  }
}

const presentEmailMessage = (
  row: EmailMessageRow,
  recipients: EmailRecipientRow[],
): EmailMessage => ({
  message_id: row.messageId,
  subject: row.subject,
  text: row.text,
  html: row.html,
  created_at: row.createdAt.toISOString(),
  recipients: recipients.map(({ address, state, reason, updatedAt }) => ({
    address,
    state,
    reason,
    updated_at: updatedAt.toISOString(),
  })),
})
