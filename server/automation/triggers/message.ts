import type { MESSAGE_SOURCES } from '../../../shared/schemas/reflexes.ts'
import type { ReceivedMessage } from '../../people/dm/service.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Events } from '../firings/events.ts'

/** Something that is said, to or by a person. */
export interface HeardMessage {
  source: (typeof MESSAGE_SOURCES)[number]
  /** Of the message or exchange. */
  messageId: string
  content: string
  /** Where it was said, and by whom: ids and names, as the event is to have them. */
  about: Record<string, string | null>
}

/**
 * Hears what is said to or by a person, within the transaction that keeps it: the first in it, before
 * anything else is locked.
 */
export type Hear = (tx: Db, userId: string, message: HeardMessage) => Promise<void>

/** Hears what somebody else writes to a person. */
export const hearDirectMessages =
  (hear: Hear) =>
  (tx: Db, { toUserId, message }: ReceivedMessage): Promise<void> =>
    hear(tx, toUserId, {
      source: 'dm',
      messageId: message.id,
      content: message.content,
      about: {
        thread_id: message.thread_id,
        author_id: message.author_id,
        author_username: message.author_username,
      },
    })

/** Has what is said trigger the reflexes of a person. */
export const createMessageTrigger =
  (events: Pick<Events, 'raise'>): Hear =>
  (tx, userId, { source, messageId, content, about }) =>
    events.raise(tx, userId, [
      {
        key: `message:${messageId}`,
        event: { type: 'message', source, message_id: messageId, content, ...about },
      },
    ])
