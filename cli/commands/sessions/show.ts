import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { formatMinute } from '../../format.ts'
import { printNextPage } from '../../list.ts'
import { type Io, oneLine, stripControls } from '../../output.ts'
import { findSession } from './ids.ts'

interface ShowSessionArgs {
  id: string
  limit?: number
  before?: string
}

const DEFAULT_LIMIT = 50

/** Prints the last messages of a chat session, oldest first. */
export const runSessionsShow = async (context: Context, args: ShowSessionArgs): Promise<void> => {
  const { io } = context
  const { limit = DEFAULT_LIMIT, before } = args
  const session = await findSession(context, args.id)
  const messages = await signedInClient(context).call(listChatMessages, {
    params: { session_id: session.id },
    query: definedFields({ limit, before }),
  })
  if (context.json) return io.printJson({ ...session, messages })
  await io.page(
    [oneLine(session.title), ...messages.map((message) => block(message, io))].join('\n\n'),
  )
  const next = { limit: args.limit, before: messages[0]?.id }
  printNextPage(context, messages.length === limit, ['sessions', 'show', session.id], next)
}

const block = (message: ChatMessage, io: Io): string => {
  const who = message.role === 'user' ? 'you' : (message.model ?? message.provider ?? 'svc')
  const facts = [who, formatMinute(message.created_at), message.is_partial && 'interrupted']
  return `${io.dim(oneLine(facts.filter(Boolean).join(' · ')))}\n${stripControls(message.content).trimEnd()}`
}
