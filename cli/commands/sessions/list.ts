import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import type { ChatSession } from '../../../shared/schemas/chat-sessions.ts'
import { type Context, signedIn } from '../../context.ts'
import { given } from '../../given.ts'
import { oneLine } from '../../output.ts'
import { minute } from '../../time.ts'

export interface ListSessionsArgs {
  limit?: number
  before?: string
  search?: string
  archived?: boolean
}

const USUAL = 30

const header = ['ID', 'CHANGED', 'MESSAGES', 'TITLE']

/** Lists conversations, pinned ones first, then by when they last changed. */
export const list = async (context: Context, args: ListSessionsArgs): Promise<void> => {
  const { io } = context
  const { limit = USUAL, before, search, archived } = args
  const query = given({ limit, before, q: search, archived })
  const sessions = await signedIn(context).call(listChatSessions, { query })
  if (context.json) return io.printJson(sessions)
  if (sessions.length === 0) return io.note('There are none. To begin one, run: svc chat "…"')
  io.printTable([header, ...sessions.map(row)], 2)
  const last = sessions.at(-1)
  if (last && sessions.length === limit)
    io.note(`There may be more: svc sessions list --before ${last.id}`)
}

const row = (session: ChatSession): string[] =>
  [
    session.id,
    minute(session.updated_at),
    String(session.message_count),
    `${session.is_pinned ? '* ' : ''}${session.title}`,
  ].map(oneLine)
