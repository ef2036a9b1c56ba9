import type { EmailMessage, EmailThread } from '../../../shared/contract/outbound-email.ts'
import type { StateCount } from './store.ts'
import type { EmailMessageRow, EmailRecipientRow, EmailThreadRow } from './table.ts'

export const presentEmailThread = (row: EmailThreadRow, counts: StateCount[]): EmailThread => {
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

export const presentEmailMessage = (
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
