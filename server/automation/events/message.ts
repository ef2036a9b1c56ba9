import type { OnMessage } from '../../conversation/on-message.ts'
import type { Events } from './events.ts'

/** A message triggers the reflexes of the user. */
export const createMessageTrigger =
  (events: Pick<Events, 'emit'>): OnMessage =>
  (tx, userId, { source, messageId, content, about }) =>
    events.emit(tx, userId, [
      {
        key: `message:${messageId}`,
        event: { type: 'message', source, message_id: messageId, content, ...about },
      },
    ])
