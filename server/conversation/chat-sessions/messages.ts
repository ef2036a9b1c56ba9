import type {
  ChatMessage,
  ChatMessageQuery,
  ContentBlock,
  MessageContext,
  TokenUsage,
} from '../../../shared/contract/chat-messages.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import { readableConversations } from '../../memory/wall.ts'
import { retryAfterLoss } from '../../platform/db/connections.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { OnMessage } from '../on-message.ts'
import {
  findChatMessage,
  insertChatMessage,
  saveVersion,
  selectChatMessages,
  selectVersions,
  updateChatMessage,
} from './message-store.ts'
import { firstMessageTitle, messagePreview, presentChatMessage } from './present.ts'
import { chatSessionError } from './service.ts'
import {
  appendPosition,
  type ChatSessionUpdate,
  findChatSession,
  insertChatSession,
  lockChatSession,
  recordReplacedAnswer,
} from './session-store.ts'
import type { ChatMessageRow, CitedMemoryRef } from './table.ts'

/** Presents messages with their versions and the texts of the cited memories. */
type PresentMessages = (caller: Caller, rows: ChatMessageRow[]) => Promise<ChatMessage[]>

export const createMessagePresenter =
  ({ db }: Database, memories: Pick<MemoryService, 'texts'>): PresentMessages =>
  async (caller, rows) => {
    const cited = rows.flatMap((row) => row.memories.map(({ memory_id }) => memory_id))
    const answers = rows.filter(({ role }) => role === 'assistant')
    const [texts, versions] = await Promise.all([
      // Chats belong to the user, and the memories that they cite to the organization.
      caller.refusal ? new Map<string, string>() : memories.texts(caller, cited),
      selectVersions(
        db,
        caller.userId,
        answers.map(({ messageId }) => messageId),
      ),
    ])
    const byMessage = Map.groupBy(versions, ({ messageId }) => messageId)
    return rows.map((row) => presentChatMessage(row, byMessage.get(row.messageId) ?? [], texts))
  }

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
    { q, before, limit }: ChatMessageQuery,
  ): Promise<ChatMessage[]> {
    const { userId } = caller
    const orgId = readableConversations(caller, 'person')
    if (!(await findChatSession(db, userId, sessionId, orgId)))
      throw chatSessionError('chat_session_not_found')
    const next = before && (await findChatMessage(db, userId, sessionId, before))
    if (before && !next) throw chatSessionError('chat_message_not_found')
    const rows = await selectChatMessages(db, userId, sessionId, {
      before: next ? next.position : undefined,
      text: q,
      limit,
    })
    return present(caller, rows.toReversed())
  },

  /**
   * Reads what the model was given for an answer.
   * @throws ApiError 404 also for a message that no model wrote, or that an earlier version stored.
   */
  async context(caller: Caller, sessionId: string, messageId: string): Promise<MessageContext> {
    const { userId } = caller
    const orgId = readableConversations(caller, 'person')
    if (!(await findChatSession(db, userId, sessionId, orgId)))
      throw chatSessionError('chat_session_not_found')
    const row = await findChatMessage(db, userId, sessionId, messageId)
    if (!row) throw chatSessionError('chat_message_not_found')
    if (!row.context) throw chatSessionError('context_not_found')
    const [message] = await present(caller, [row])
    return { ...row.context, memories: message?.memories ?? [] }
  },

  /**
   * The last messages as they are stored, oldest first: those of the caller's context, because answers quote
   * memories of theirs. Empty where the session does not exist.
   */
  async history(caller: Caller, sessionId: string, limit: number): Promise<ChatMessageRow[]> {
    const orgId = orgIdOf(caller)
    const rows = await selectChatMessages(db, caller.userId, sessionId, { limit, orgId })
    return rows.toReversed()
  },
})

/** The organization in which the caller writes, and whose messages a model reads. */
const orgIdOf = (caller: Caller): string | null => readableConversations(caller, 'model') ?? null

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
  context: ChatMessageRow['context']
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

  /** An answer exists nowhere else, and its client may be gone, so a lost connection is tried once more. */
  const storeOnce = (
    store: (tx: Db, isRetry: boolean) => Promise<ChatMessageRow>,
  ): Promise<ChatMessageRow> =>
    retryAfterLoss((isRetry) => db.transaction((tx) => store(tx, isRetry)))

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
          answeredBy: undefined,
        })
        if (position === undefined) throw chatSessionError('chat_session_not_found')
        const row = { userId, sessionId, position, messageId, orgId: orgIdOf(caller) }
        await insertChatMessage(tx, { ...row, role: 'user', ...question })
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
      const row = await storeOnce(async (tx, isRetry) => {
        if (isRetry) {
          // Waits for the first attempt if PostgreSQL still executes it.
          await lockChatSession(tx, userId, sessionId)
          const stored = await findChatMessage(tx, userId, sessionId, messageId)
          if (stored) return stored
        }
        const position = await appendPosition(
          tx,
          userId,
          sessionId,
          sessionUpdate(answer, isUnread),
        )
        if (position === undefined) throw chatSessionError('chat_session_not_found')
        return insertChatMessage(tx, {
          userId,
          sessionId,
          position,
          messageId,
          orgId: orgIdOf(caller),
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
      const row = await storeOnce(async (tx, isRetry) => {
        const session = await lockChatSession(tx, userId, sessionId)
        if (!session) throw chatSessionError('chat_session_not_found')
        const previous = await findChatMessage(tx, userId, sessionId, messageId)
        if (previous?.role !== 'assistant') throw chatSessionError('chat_message_not_found')
        if (isRetry && previous.content === answer.content) return previous
        await saveVersion(tx, previous)
        const replaced = await updateChatMessage(tx, previous, answer)
        const isLast = previous.position === session.messageCount
        await recordReplacedAnswer(tx, session, { isLast, update: sessionUpdate(answer, isUnread) })
        return replaced
      })
      return presentOne(caller, row)
    },
  }
}

const sessionUpdate = (
  { content, provider, model }: Omit<NewAnswer, 'isUnread'>,
  isUnread: boolean,
): ChatSessionUpdate => ({
  preview: messagePreview(content),
  title: null,
  isUnread,
  answeredBy: { provider, model },
})

/** A message that svc adds without a question of the user. */
interface NewNotice {
  /** The session of earlier notices; null for a new one. */
  sessionId: string | null
  /** The title of a new session. */
  title: string
  content: string
  /** The feature that posts it. */
  initiatedBy: string
}

/**
 * Posts a notice in the caller's transaction: in its session, or in a new one where that does not exist.
 * @returns the id of the session.
 */
export const postNotice = async (tx: Db, userId: string, notice: NewNotice): Promise<string> => {
  const { sessionId, title, content, initiatedBy } = notice
  const update = {
    preview: messagePreview(content),
    title: null,
    isUnread: true,
    answeredBy: undefined,
  }
  const position = sessionId && (await appendPosition(tx, userId, sessionId, update))
  if (!sessionId || !position) {
    const created = Bun.randomUUIDv7()
    await insertChatSession(tx, { userId, sessionId: created, title, initiatedBy })
    return postNotice(tx, userId, { ...notice, sessionId: created })
  }
  const messageId = Bun.randomUUIDv7()
  const role = 'assistant'
  await insertChatMessage(tx, { userId, sessionId, position, messageId, role, content })
  return sessionId
}
