import type { Db } from '../../platform/db/database.ts'
import { insertChatMessage } from './message-store.ts'
import { messagePreview } from './present.ts'
import { appendPosition, insertChatSession } from './session-store.ts'

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
    answerer: undefined,
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
