import { getChatSession, listChatMessages } from '../../../shared/contract/chat-sessions.ts'
import type { ChatMessage } from '../../../shared/schemas/chat-sessions.ts'
import { commandLine } from '../../command-line.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { type Io, oneLine, stripControls } from '../../output.ts'
import { formatMinute } from '../../time.ts'
import { resolveSessionId } from '../chat/request.ts'

export interface ShowSessionArgs {
  id: string
  limit?: number
  before?: string
}

const DEFAULT_LIMIT = 50

/** Prints the last messages of a chat session, oldest first. */
export const runSessionsShow = async (context: Context, args: ShowSessionArgs): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const id = await resolveSessionId(context, args.id)
  const params = { session_id: id }
  const { limit = DEFAULT_LIMIT, before } = args
  const [session, messages] = await Promise.all([
    client.call(getChatSession, { params }),
    client.call(listChatMessages, { params, query: definedFields({ limit, before }) }),
  ])
  if (context.json) return io.printJson({ ...session, messages })
  await io.page(
    [oneLine(session.title), ...messages.map((message) => block(message, io))].join('\n\n'),
  )
  const [first] = messages
  if (!first || messages.length < limit) return
  const options = { limit: args.limit, before: first.id }
  io.info(`For earlier messages, run: ${commandLine(context, ['sessions', 'show', id], options)}`)
}

const block = (message: ChatMessage, io: Io): string => {
  const who = message.role === 'user' ? 'you' : (message.model ?? message.provider ?? 'svc')
  const facts = [who, formatMinute(message.created_at), message.is_partial && 'interrupted']
  return `${io.dim(oneLine(facts.filter(Boolean).join(' · ')))}\n${stripControls(message.content).trimEnd()}`
}
