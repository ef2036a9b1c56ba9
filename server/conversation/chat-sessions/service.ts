import type {
  ChatSession,
  ChatSessionQuery,
  CreateChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { readableConversations } from '../../memory/wall.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { checkRowLimit } from '../../platform/row-limit.ts'
import { copyMessages, findChatMessage, selectChatMessages } from './message-store.ts'
import { messagePreview, presentChatSession, sessionTitle } from './present.ts'
import {
  BRANCH_LIMIT,
  type ChatSessionChange,
  type ChatSessionWithCategory,
  changeChatSession,
  EMPTY_SESSION_LIMIT,
  findChatSession,
  insertChatSession,
  lockCategory,
  lockChatSession,
  removeChatSession,
  SESSION_CHANGES,
  selectChatSessions,
} from './session-store.ts'

export const chatSessionError = defineErrors({
  category_not_found: { status: 404, detail: 'Category not found' },
  chat_session_not_found: { status: 404, detail: 'Session not found' },
  chat_message_not_found: { status: 404, detail: 'Message not found' },
  context_not_found: { status: 404, detail: 'No model wrote this message' },
})

/** Further words of a search are ignored. */
const MAX_SEARCH_WORDS = 10

export type ChatSessionService = ReturnType<typeof createChatSessionService>

type SessionDatabase = Pick<Database, 'db' | 'queryIn'>

export const createChatSessionService = (database: SessionDatabase) => {
  const { db } = database

  const change = (caller: Caller, sessionId: string, changed: ChatSessionChange) =>
    db.transaction((tx) => changeWithin(tx, caller, sessionId, changed))

  return {
    /** @throws ApiError 409 for too many sessions without a message. */
    async create(caller: Caller, { title }: CreateChatSession): Promise<ChatSession> {
      return db.transaction(async (tx) => {
        await checkRowLimit(tx, caller.userId, EMPTY_SESSION_LIMIT)
        return presentChatSession(await find(tx, caller, await insert(tx, caller, title ?? null)))
      })
    },

    /** A session for a first message, which is stored next. @returns its id. */
    createForMessage: (caller: Caller): Promise<string> => insert(db, caller, null),

    /**
     * @throws ApiError 404 for a session that does not exist or is another user's; so do all methods
     * below.
     */
    get: async (caller: Caller, sessionId: string): Promise<ChatSession> =>
      presentChatSession(await find(db, caller, sessionId)),

    /** @throws ApiError 404 where `query.before` does not exist. */
    async list(caller: Caller, query: ChatSessionQuery): Promise<ChatSession[]> {
      const words = query.q?.split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS) ?? []
      const rows = await selectChatSessions(db, caller.userId, {
        words,
        categoryId: query.category_id,
        isArchived: query.archived,
        orgId: readableConversations(caller, 'person'),
        before: query.before ? await find(db, caller, query.before) : undefined,
        limit: query.limit,
      })
      return rows.map(presentChatSession)
    },

    rename: (caller: Caller, sessionId: string, title: string): Promise<ChatSession> =>
      change(caller, sessionId, SESSION_CHANGES.rename(title)),

    togglePin: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      change(caller, sessionId, SESSION_CHANGES.togglePin()),

    toggleArchive: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      change(caller, sessionId, SESSION_CHANGES.toggleArchive()),

    markRead: (caller: Caller, sessionId: string): Promise<ChatSession> =>
      change(caller, sessionId, SESSION_CHANGES.markRead()),

    /** @throws ApiError 404 also for a category that does not exist or is another user's. */
    async move(caller: Caller, sessionId: string, categoryId: string | null): Promise<ChatSession> {
      await find(db, caller, sessionId)
      return db.transaction(async (tx) => {
        if (categoryId !== null && !(await lockCategory(tx, caller.userId, categoryId)))
          throw chatSessionError('category_not_found')
        return changeWithin(tx, caller, sessionId, SESSION_CHANGES.move(categoryId))
      })
    },

    async delete(caller: Caller, sessionId: string): Promise<void> {
      await find(db, caller, sessionId)
      if (!(await removeChatSession(db, caller.userId, sessionId)))
        throw chatSessionError('chat_session_not_found')
    },

    /**
     * Copies a session up to a message, or up to the one before it, into a new one.
     * @throws ApiError 404 also for a message that does not exist, 409 for too many copies.
     */
    branch: (caller: Caller, sessionId: string, end: BranchEnd): Promise<ChatSession> =>
      branchSession(database, caller, sessionId, end),

    /**
     * Locks a session until the end of the transaction.
     * @returns its title, and the position of a message, or of the last one.
     * @throws ApiError 404 also for a message that does not exist.
     */
    async lock(
      tx: Db,
      caller: Caller,
      sessionId: string,
      messageId: string | null,
    ): Promise<{ title: string; position: number }> {
      await find(tx, caller, sessionId)
      const session = await lockChatSession(tx, caller.userId, sessionId)
      if (!session) throw chatSessionError('chat_session_not_found')
      const title = sessionTitle(session)
      if (messageId === null) return { title, position: session.messageCount }
      const message = await findChatMessage(tx, caller.userId, sessionId, messageId)
      if (!message) throw chatSessionError('chat_message_not_found')
      return { title, position: message.position }
    },
  }
}

const find = async (
  db: Db,
  caller: Caller,
  sessionId: string,
): Promise<ChatSessionWithCategory> => {
  const orgId = readableConversations(caller, 'person')
  const session = await findChatSession(db, caller.userId, sessionId, orgId)
  if (!session) throw chatSessionError('chat_session_not_found')
  return session
}

/** Returns the session as this change left it: the row stays locked until the transaction ends. */
const changeWithin = async (
  tx: Db,
  caller: Caller,
  sessionId: string,
  change: ChatSessionChange,
): Promise<ChatSession> => {
  if (!(await changeChatSession(tx, caller.userId, sessionId, change)))
    throw chatSessionError('chat_session_not_found')
  return presentChatSession(await find(tx, caller, sessionId))
}

const insert = async (tx: Db, { userId }: Caller, title: string | null): Promise<string> => {
  const sessionId = Bun.randomUUIDv7()
  await insertChatSession(tx, { userId, sessionId, title })
  return sessionId
}

/** The last message of a copy, or the one after it. */
interface BranchEnd {
  message_id: string
  is_included: boolean
}

const branchSession = async (
  { db, queryIn }: SessionDatabase,
  caller: Caller,
  sessionId: string,
  { message_id, is_included }: BranchEnd,
): Promise<ChatSession> => {
  const { userId } = caller
  const { categoryId } = await find(db, caller, sessionId)
  return db.transaction(async (tx) => {
    const hasCategory = categoryId !== null && (await lockCategory(tx, userId, categoryId))
    const session = await lockChatSession(tx, userId, sessionId)
    if (!session) throw chatSessionError('chat_session_not_found')
    const message = await findChatMessage(tx, userId, sessionId, message_id)
    if (!message) throw chatSessionError('chat_message_not_found')
    await checkRowLimit(tx, userId, BRANCH_LIMIT)
    const through = message.position - (is_included ? 0 : 1)
    const before = through + 1
    const [last] = await selectChatMessages(tx, userId, sessionId, { before, limit: 1 })
    const branch = Bun.randomUUIDv7()
    await insertChatSession(tx, {
      userId,
      sessionId: branch,
      branchedFrom: sessionId,
      messageCount: through,
      provider: session.provider,
      model: session.model,
      // An empty one is named by its first message.
      title: through > 0 ? session.title : null,
      categoryId: hasCategory ? categoryId : null,
      lastMessagePreview: last ? messagePreview(last.content) : null,
    })
    await copyMessages(queryIn(tx), { userId, from: sessionId, to: branch, through })
    return presentChatSession(await find(tx, caller, branch))
  })
}
