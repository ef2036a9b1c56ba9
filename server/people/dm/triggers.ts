import type { OnMessage } from '../../conversation/on-message.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ReceivedMessage } from './messages.ts'

/** Passes the messages that a user receives to the reflexes of that user. */
export const triggerReflexes =
  (onMessage: OnMessage) =>
  (tx: Db, { toUserId, message }: ReceivedMessage): Promise<void> =>
    onMessage(tx, toUserId, {
      source: 'dm',
      messageId: message.id,
      content: message.content,
      about: {
        thread_id: message.thread_id,
        author_id: message.author_id,
        author_username: message.author_username,
      },
    })
