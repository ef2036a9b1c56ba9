import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import type { ChatSession } from '../../../shared/schemas/chat-sessions.ts'
import { commandLine } from '../../command-line.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { oneLine } from '../../output.ts'
import { idColumn, resolveId } from '../../short-id.ts'
import { formatMinute } from '../../time.ts'
import { fewSessionIds, sessionIds } from './ids.ts'

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
  const { limit = DEFAULT_LIMIT, search, archived } = args
  const client = signedInClient(context)
  const before = args.before && (await resolveId(args.before, sessionIds(client)))
  const query = definedFields({ limit, before, q: search, archived })
  const sessions = await client.call(listChatSessions, { query })
  if (context.json) return io.printJson(sessions)
  if (sessions.length === 0) return io.info('No sessions. To start one, run: svc chat "…"')
  const short = await idColumn(io, () => fewSessionIds(client))
  await io.printTable([header, ...sessions.map((session) => row(session, short(session.id)))], 2)
  const last = sessions.at(-1)
  if (!last || sessions.length < limit) return
  const options = { limit: args.limit, search, archived, before: last.id }
  io.info(`For more, run: ${commandLine(context, ['sessions', 'list'], options)}`)
}

const row = (session: ChatSession, id: string): string[] =>
  [
    id,
    formatMinute(session.updated_at),
    String(session.message_count),
    `${session.is_pinned ? '* ' : ''}${session.title}`,
  ].map(oneLine)
