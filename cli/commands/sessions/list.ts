import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import type { ChatSession } from '../../../shared/schemas/chat-sessions.ts'
import { commandLine } from '../../command-line.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { oneLine } from '../../output.ts'
import { formatMinute } from '../../time.ts'

export interface ListSessionsArgs {
  limit?: number
  before?: string
  search?: string
  archived?: boolean
}

const DEFAULT_LIMIT = 30

const header = ['ID', 'CHANGED', 'MESSAGES', 'TITLE']

/** Lists chat sessions, pinned ones first, then the most recently changed. */
export const runSessionsList = async (context: Context, args: ListSessionsArgs): Promise<void> => {
  const { io } = context
  const { limit = DEFAULT_LIMIT, before, search, archived } = args
  const query = definedFields({ limit, before, q: search, archived })
  const sessions = await signedInClient(context).call(listChatSessions, { query })
  if (context.json) return io.printJson(sessions)
  if (sessions.length === 0) return io.info('No sessions. To start one, run: svc chat "…"')
  io.printTable([header, ...sessions.map(row)], 2)
  const last = sessions.at(-1)
  if (!last || sessions.length < limit) return
  const options = { limit: args.limit, search, archived, before: last.id }
  io.info(`For more, run: ${commandLine(context, ['sessions', 'list'], options)}`)
}

const row = (session: ChatSession): string[] =>
  [
    session.id,
    formatMinute(session.updated_at),
    String(session.message_count),
    `${session.is_pinned ? '* ' : ''}${session.title}`,
  ].map(oneLine)
