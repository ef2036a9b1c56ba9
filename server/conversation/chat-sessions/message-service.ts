import type { ChatMessage, ChatMessageQuery } from '../../../shared/contract/chat-sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { conversationError } from '../errors.ts'
import type { PresentMessages } from './message-presenter.ts'
import { findChatMessage, selectChatMessages } from './message-store.ts'
import { findSession } from './session-store.ts'
import type { ChatMessageRow } from './table.ts'

export type ChatMessageService = ReturnType<typeof createChatMessageService>

/** Reads the messages of chat sessions. */
export const createChatMessageService = ({ db }: Database, present: PresentMessages) => ({
  /**
   * A page of messages, oldest first.
   * @throws ApiError 404 for a session or a message `before` that does not exist or is another user's.
   */
  async list(
    caller: Caller,
    sessionId: string,
    { before, limit }: ChatMessageQuery,
  ): Promise<ChatMessage[]> {
    const { userId } = caller
    if (!(await findSession(db, userId, sessionId)))
      throw conversationError('chat_session_not_found')
    const next = before && (await findChatMessage(db, userId, sessionId, before))
    if (before && !next) throw conversationError('chat_message_not_found')
    const rows = await selectChatMessages(db, userId, sessionId, {
      before: next ? next.position : undefined,
      limit,
    })
    return present(caller, rows.toReversed())
  },

  /** The last messages as they are stored, oldest first. Empty where the session does not exist. */
  async history(caller: Caller, sessionId: string, limit: number): Promise<ChatMessageRow[]> {
    const rows = await selectChatMessages(db, caller.userId, sessionId, { limit })
    return rows.toReversed()
  },
})
