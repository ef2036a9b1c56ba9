import { eq, not, sql } from 'drizzle-orm'
import type {
  ChatMessage,
  ChatMessageQuery,
  ChatSession,
  ChatSessionQuery,
  ContentBlock,
  TokenUsage,
} from '../../../shared/schemas/chat-sessions.ts'
import type { Hear } from '../../automation/triggers/message.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { presentMessage, presentSession, titled } from './present.ts'
import {
  changeSession,
  clearCategory,
  deleteSession,
  findMessage,
  findSession,
  holdCategory,
  holdSession,
  insertMessage,
  insertSession,
  keepVersion,
  listMessages,
  listSessions,
  listVersions,
  noteAnswer,
  replaceMessage,
  type SessionNews,
  type SessionWithCategory,
  takePosition,
} from './store.ts'
import { type ChatMessageRow, type CitedMemory, chatSessions } from './table.ts'
import { previewOf, titleOf } from './text.ts'

/** More words than this narrow a search no further. */
const MAX_WORDS = 10

/** Those in which somebody said something are counted with the messages of the month. */
const CAP: Cap = {
  table: chatSessions,
  most: 1_000,
  name: 'sessions without a message',
  counted: eq(chatSessions.messageCount, 0),
}

/** What the person says. */
export interface NewQuestion {
  content: string
  contentBlocks?: ContentBlock[]
  fileIds?: string[]
  urlSnapshotHash?: string | null
}

/** What is said to it, or as much of it as there is. */
export interface NewAnswer {
  content: string
  provider: string | null
  model: string | null
  usage: TokenUsage | null
  memories: CitedMemory[]
  isPartial: boolean
  /** Nobody was there to take it in. */
  isUnread: boolean
}

/** Something that is said to a person without their asking. */
export interface NewTidings {
  /** Where it was said before; null for a new session. */
  sessionId: string | null
  /** What a new session is called. */
  title: string
  content: string
  /** What says it. */
  initiatedBy: string
}

export type ChatSessionService = ReturnType<typeof createChatSessionService>

export const createChatSessionService = (
  { db }: Database,
  memories: Pick<MemoryService, 'texts'>,
  hear?: Hear,
) => {
  /** @throws ApiError 404 for a session that is not there or not the caller's. */
  const found = async (caller: Caller, sessionId: string): Promise<SessionWithCategory> => {
    const session = await findSession(db, caller.userId, sessionId)
    if (!session) throw sessionNotFound()
    return session
  }

  const changed = async (
    caller: Caller,
    sessionId: string,
    change: Parameters<typeof changeSession>[3],
  ): Promise<ChatSession> => {
    if (!(await changeSession(db, caller.userId, sessionId, change))) throw sessionNotFound()
    return presentSession(await found(caller, sessionId))
  }

  const present = async (caller: Caller, rows: ChatMessageRow[]): Promise<ChatMessage[]> => {
    const cited = rows.flatMap((row) => row.memories.map(({ memory_id }) => memory_id))
    const answers = rows.filter(({ role }) => role === 'assistant')
    const [texts, versions] = await Promise.all([
      memories.texts(caller, cited),
      listVersions(
        db,
        caller.userId,
        answers.map(({ messageId }) => messageId),
      ),
    ])
    const byMessage = Map.groupBy(versions, ({ messageId }) => messageId)
    return rows.map((row) => presentMessage(row, byMessage.get(row.messageId) ?? [], texts))
  }

  const presentOne = async (caller: Caller, row: ChatMessageRow): Promise<ChatMessage> => {
    const [message] = await present(caller, [row])
    return message as ChatMessage
  }

  const create = async (
    within: Db,
    caller: Caller,
    { title, initiatedBy }: { title?: string | null | undefined; initiatedBy?: string } = {},
  ): Promise<string> => {
    const sessionId = Bun.randomUUIDv7()
    await insertSession(within, {
      userId: caller.userId,
      sessionId,
      title: title ?? null,
      initiatedBy: initiatedBy ?? null,
    })
    return sessionId
  }

  /**
   * Says something to a person within a transaction of the caller's, in the session where that was
   * done before, or in a new one where there is none any more. @returns its id.
   */
  const tell = async (tx: Db, userId: string, tidings: NewTidings): Promise<string> => {
    const { sessionId, title, content, initiatedBy } = tidings
    const news = { preview: previewOf(content), title: null, isUnread: true, answerer: undefined }
    const position = sessionId && (await takePosition(tx, userId, sessionId, news))
    if (!sessionId || !position) {
      const made = Bun.randomUUIDv7()
      await insertSession(tx, { userId, sessionId: made, title, initiatedBy })
      return tell(tx, userId, { ...tidings, sessionId: made })
    }
    const messageId = Bun.randomUUIDv7()
    await insertMessage(tx, { userId, sessionId, position, messageId, role: 'assistant', content })
    return sessionId
  }

  return {
    tell,

    /** @throws ApiError 409 for one too many in which nothing was said. */
    async create(
      caller: Caller,
      given: { title?: string | null | undefined; initiatedBy?: string } = {},
    ): Promise<ChatSession> {
      const sessionId = await db.transaction(async (tx) => {
        await checkRoom(tx, caller.userId, CAP)
        return create(tx, caller, given)
      })
      return presentSession(await found(caller, sessionId))
    },

    /** @throws ApiError 404 for a session that is not there or not the caller's. */
    get: async (caller: Caller, sessionId: string): Promise<ChatSession> =>
      presentSession(await found(caller, sessionId)),

    /** @throws ApiError 404 when the session to go on from is not there. */
    async list(caller: Caller, query: ChatSessionQuery): Promise<ChatSession[]> {
      const words = query.q?.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS) ?? []
      const rows = await listSessions(db, caller.userId, {
        words,
        categoryId: query.category_id,
        isArchived: query.archived,
        before: query.before ? await found(caller, query.before) : undefined,
        limit: query.limit,
      })
      return rows.map(presentSession)
    },

    /** @throws ApiError 404 as `get`; so do all that follow. */
    rename: (caller: Caller, sessionId: string, title: string): Promise<ChatSession> =>
      changed(caller, sessionId, { title, updatedAt: sql`now()` }),

    togglePin: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      changed(caller, sessionId, { isPinned: not(chatSessions.isPinned) }),

    toggleArchive: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      changed(caller, sessionId, { isArchived: not(chatSessions.isArchived) }),

    markRead: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      changed(caller, sessionId, { isUnread: false }),

    /** @throws ApiError 404 also for a category that is not there or not the caller's. */
    async move(caller: Caller, sessionId: string, categoryId: string | null): Promise<ChatSession> {
      const { userId } = caller
      await found(caller, sessionId)
      await db.transaction(async (tx) => {
        if (categoryId !== null && !(await holdCategory(tx, userId, categoryId)))
          throw new ApiError(404, 'Category not found')
        await changeSession(tx, userId, sessionId, { categoryId })
      })
      return presentSession(await found(caller, sessionId))
    },

    async delete(caller: Caller, sessionId: string): Promise<void> {
      if (!(await deleteSession(db, caller.userId, sessionId))) throw sessionNotFound()
    },

    /** Takes all sessions out of a category, within the transaction that deletes it. */
    uncategorise: (tx: Db, userId: string, categoryId: string): Promise<void> =>
      clearCategory(tx, userId, categoryId),

    /** A page of messages, oldest first. @throws ApiError 404 also when `before` is not there. */
    async messages(
      caller: Caller,
      sessionId: string,
      { before, limit }: ChatMessageQuery,
    ): Promise<ChatMessage[]> {
      await found(caller, sessionId)
      const next = before && (await findMessage(db, caller.userId, sessionId, before))
      if (before && !next) throw messageNotFound()
      const rows = await listMessages(db, caller.userId, sessionId, {
        before: next ? next.position : undefined,
        limit,
      })
      return present(caller, rows.toReversed())
    },

    /** The session of an id, or a new one. @returns its id. */
    async open(caller: Caller, sessionId: string | null | undefined): Promise<string> {
      if (!sessionId) return create(db, caller)
      return (await found(caller, sessionId)).sessionId
    },

    /**
     * Keeps a session as it is until the end of the transaction.
     * @returns what it is called, and the place of a message in it, or of the last.
     * @throws ApiError 404 when the session or the message is not there or not the caller's.
     */
    async hold(
      tx: Db,
      caller: Caller,
      sessionId: string,
      messageId: string | null,
    ): Promise<{ title: string; position: number }> {
      const session = await holdSession(tx, caller.userId, sessionId)
      if (!session) throw sessionNotFound()
      const title = titled(session)
      if (messageId === null) return { title, position: session.messageCount }
      const message = await findMessage(tx, caller.userId, sessionId, messageId)
      if (!message) throw messageNotFound()
      return { title, position: message.position }
    },

    /** The last messages, oldest first, as they are kept: what a prompt is made of. */
    async history(caller: Caller, sessionId: string, limit: number): Promise<ChatMessageRow[]> {
      const rows = await listMessages(db, caller.userId, sessionId, { limit })
      return rows.toReversed()
    },

    /** Adds what the person says. It is a sign that they have read what was said before. */
    async ask(caller: Caller, sessionId: string, question: NewQuestion): Promise<ChatMessage> {
      const { userId } = caller
      const { content } = question
      const messageId = Bun.randomUUIDv7()
      const row = await db.transaction(async (tx) => {
        await hear?.(tx, userId, {
          source: 'chat',
          messageId,
          content,
          about: { session_id: sessionId },
        })
        const position = await takePosition(tx, userId, sessionId, {
          preview: previewOf(content),
          title: titleOf(content),
          isUnread: false,
          answerer: undefined,
        })
        if (position === undefined) throw sessionNotFound()
        return insertMessage(tx, {
          userId,
          sessionId,
          position,
          messageId,
          role: 'user',
          ...question,
        })
      })
      return presentOne(caller, row)
    },

    /** Adds an answer under an id that was made for it when it began. */
    async answer(
      caller: Caller,
      sessionId: string,
      { messageId, replyTo }: { messageId: string; replyTo: string | null },
      { isUnread, ...answer }: NewAnswer,
    ): Promise<ChatMessage> {
      const { userId } = caller
      const row = await db.transaction(async (tx) => {
        const position = await takePosition(tx, userId, sessionId, newsOf(answer, isUnread))
        if (position === undefined) throw sessionNotFound()
        return insertMessage(tx, {
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

    /** Puts an answer in the place of another, which is kept as a version of it. */
    async replaceAnswer(
      caller: Caller,
      sessionId: string,
      messageId: string,
      { isUnread, ...answer }: NewAnswer,
    ): Promise<ChatMessage> {
      const { userId } = caller
      const row = await db.transaction(async (tx) => {
        const session = await holdSession(tx, userId, sessionId)
        if (!session) throw sessionNotFound()
        const before = await findMessage(tx, userId, sessionId, messageId)
        if (before?.role !== 'assistant') throw messageNotFound()
        await keepVersion(tx, before)
        const replaced = await replaceMessage(tx, before, answer)
        const isLast = before.position === session.messageCount
        await noteAnswer(tx, userId, sessionId, isLast, newsOf(answer, isUnread))
        return replaced
      })
      return presentOne(caller, row)
    },
  }
}

const newsOf = (
  { content, provider, model }: Omit<NewAnswer, 'isUnread'>,
  isUnread: boolean,
): SessionNews => ({
  preview: previewOf(content),
  title: null,
  isUnread,
  answerer: { provider, model },
})

const sessionNotFound = () => new ApiError(404, 'Session not found')
const messageNotFound = () => new ApiError(404, 'Message not found')
