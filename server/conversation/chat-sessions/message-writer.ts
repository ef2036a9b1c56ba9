import type {
  ChatMessage,
  ContentBlock,
  TokenUsage,
} from '../../../shared/contract/chat-sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { conversationError } from '../errors.ts'
import type { OnMessage } from '../on-message.ts'
import type { PresentMessages } from './message-presenter.ts'
import {
  findChatMessage,
  insertChatMessage,
  saveVersion,
  updateChatMessage,
} from './message-store.ts'
import { firstMessageTitle, messagePreview } from './present.ts'
import {
  appendPosition,
  lockSession,
  recordReplacedAnswer,
  type SessionUpdate,
} from './session-store.ts'
import type { ChatMessageRow, CitedMemoryRef } from './table.ts'

interface NewQuestion {
  content: string
  contentBlocks?: ContentBlock[]
  fileIds?: string[]
  urlSnapshotHash?: string | null
}

export interface NewAnswer {
  content: string
  provider: string | null
  model: string | null
  usage: TokenUsage | null
  memories: CitedMemoryRef[]
  isPartial: boolean
  /** The client disconnected before it received the whole answer. */
  isUnread: boolean
}

export type ChatMessageWriter = ReturnType<typeof createChatMessageWriter>

/**
 * Writes the questions and answers of chat sessions. All methods throw ApiError 404 for a session that
 * does not exist or is another user's.
 */
export const createChatMessageWriter = (
  { db }: Database,
  present: PresentMessages,
  onMessage: OnMessage,
) => {
  const presentOne = async (caller: Caller, row: ChatMessageRow): Promise<ChatMessage> => {
    const [message] = await present(caller, [row])
    return message as ChatMessage
  }

  return {
    /** A question marks the session as read. @returns its id. */
    async addQuestion(caller: Caller, sessionId: string, question: NewQuestion): Promise<string> {
      const { userId } = caller
      const { content } = question
      const messageId = Bun.randomUUIDv7()
      await db.transaction(async (tx) => {
        const about = { session_id: sessionId }
        await onMessage(tx, userId, { source: 'chat', messageId, content, about })
        const position = await appendPosition(tx, userId, sessionId, {
          preview: messagePreview(content),
          title: firstMessageTitle(content),
          isUnread: false,
          answerer: undefined,
        })
        if (position === undefined) throw conversationError('chat_session_not_found')
        const row = { userId, sessionId, position, messageId, role: 'user' as const, ...question }
        await insertChatMessage(tx, row)
      })
      return messageId
    },

    async addAnswer(
      caller: Caller,
      sessionId: string,
      { messageId, replyTo }: { messageId: string; replyTo: string | null },
      { isUnread, ...answer }: NewAnswer,
    ): Promise<ChatMessage> {
      const { userId } = caller
      const row = await db.transaction(async (tx) => {
        const position = await appendPosition(
          tx,
          userId,
          sessionId,
          sessionUpdate(answer, isUnread),
        )
        if (position === undefined) throw conversationError('chat_session_not_found')
        return insertChatMessage(tx, {
          userId,
          sessionId,
          position,
          messageId,
          replyTo,
          role: 'assistant',
          ...answer,
        })
      })
      return presentOne(caller, row)
    },

    /** Replaces an answer; the earlier one is kept as a version of the message. */
    async replaceAnswer(
      caller: Caller,
      sessionId: string,
      messageId: string,
      { isUnread, ...answer }: NewAnswer,
    ): Promise<ChatMessage> {
      const { userId } = caller
      const row = await db.transaction(async (tx) => {
        const session = await lockSession(tx, userId, sessionId)
        if (!session) throw conversationError('chat_session_not_found')
        const previous = await findChatMessage(tx, userId, sessionId, messageId)
        if (previous?.role !== 'assistant') throw conversationError('chat_message_not_found')
        await saveVersion(tx, previous)
        const replaced = await updateChatMessage(tx, previous, answer)
        const isLast = previous.position === session.messageCount
        await recordReplacedAnswer(tx, userId, sessionId, isLast, sessionUpdate(answer, isUnread))
        return replaced
      })
      return presentOne(caller, row)
    },
  }
}

const sessionUpdate = (
  { content, provider, model }: Omit<NewAnswer, 'isUnread'>,
  isUnread: boolean,
): SessionUpdate => ({
  preview: messagePreview(content),
  title: null,
  isUnread,
  answerer: { provider, model },
})
