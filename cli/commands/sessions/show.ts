import { getChatSession, listChatMessages } from '../../../shared/contract/chat-sessions.ts'
import type { ChatMessage } from '../../../shared/schemas/chat-sessions.ts'
import { type Context, signedIn } from '../../context.ts'
import { given } from '../../given.ts'
import { type Io, oneLine, safe } from '../../output.ts'
import { minute } from '../../time.ts'
import { sessionId } from '../chat/ask.ts'

export interface ShowSessionArgs {
  id: string
  limit?: number
  before?: string
}

const USUAL = 50

/** Prints the last messages of a conversation, the oldest first. */
export const show = async (context: Context, args: ShowSessionArgs): Promise<void> => {
  const { io } = context
  const client = signedIn(context)
  const id = await sessionId(context, args.id)
  const params = { session_id: id }
  const { limit = USUAL, before } = args
  const [session, messages] = await Promise.all([
    client.call(getChatSession, { params }),
    client.call(listChatMessages, { params, query: given({ limit, before }) }),
  ])
  if (context.json) return io.printJson({ ...session, messages })
  io.print([oneLine(session.title), ...messages.map((message) => block(message, io))].join('\n\n'))
  const [first] = messages
  if (first && messages.length === limit)
    io.note(`There may be more: svc sessions show ${id} --before ${first.id}`)
}

const block = (message: ChatMessage, io: Io): string => {
  const who = message.role === 'user' ? 'you' : (message.model ?? message.provider ?? 'svc')
  const facts = [who, minute(message.created_at), message.is_partial && 'broke off']
  return `${io.dim(oneLine(facts.filter(Boolean).join(' · ')))}\n${safe(message.content).trimEnd()}`
}
