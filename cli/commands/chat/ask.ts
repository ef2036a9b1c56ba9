import { basename } from 'node:path'
import { chatStream } from '../../../shared/contract/chat.ts'
import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import { uploadFile } from '../../../shared/contract/files.ts'
import type { Depth } from '../../../shared/schemas/chat.ts'
import { ANSWER_TIMEOUT_MS, type ChatEvent } from '../../answer.ts'
import { type Context, signedIn } from '../../context.ts'
import { depths, isDepth } from '../../depths.ts'
import { CliError, usageError } from '../../errors.ts'
import { given } from '../../given.ts'

export interface ChatOptions {
  /** An id, or `last`. */
  session?: string
  provider?: string
  depth?: Depth
  file?: string[]
}

/** What goes with every message of a conversation. */
export interface Asked {
  session_id?: string
  provider?: string
  depth?: Depth
  /** Only with the next message. */
  file_ids?: string[]
}

/** More than this is a file: the server takes no longer message. */
const LONGEST_MESSAGE = 32_000

/** Settles with which session, answerer and files to begin. */
export const prepare = async (context: Context, options: ChatOptions): Promise<Asked> => {
  const depth = options.depth ?? context.settled.depth
  if (depth !== undefined && !isDepth(depth))
    throw usageError(`There is no depth ${depth}.`, `Run: svc config set depth ${depths[0]}`)
  const session = options.session && (await sessionId(context, options.session))
  const files = await Promise.all((options.file ?? []).map((path) => uploadPath(context, path)))
  return given({
    session_id: session,
    provider: options.provider ?? context.settled.provider,
    depth,
    file_ids: files.length ? files : undefined,
  })
}

/** A session's id; `last` stands for the one that changed last. */
export const sessionId = (context: Context, id: string): Promise<string> | string =>
  id === 'last' ? lastSession(context) : id

const lastSession = async (context: Context): Promise<string> => {
  // Pinned ones come first, however old they are.
  const sessions = await signedIn(context).call(listChatSessions, { query: { limit: 100 } })
  const [last] = sessions.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  if (last) return last.id
  throw new CliError('There is no session to go on with.', 'Begin one: svc chat "Hello."')
}

const uploadPath = async (context: Context, path: string): Promise<string> => {
  const bytes = await Bun.file(path)
    .bytes()
    .catch((cause) => {
      throw usageError(`Cannot read ${path}: ${cause.message}`, 'Name another file.', cause)
    })
  return upload(context, new File([bytes], basename(path)))
}

const upload = async (context: Context, file: File, signal?: AbortSignal): Promise<string> =>
  (await signedIn(context).call(uploadFile, { upload: file, ...given({ signal }) })).id

/**
 * What begins the request for an answer.
 * @param note told the session as soon as the server has named it.
 */
export const ask =
  (context: Context, asked: Asked & { message: string }, note: (session: string) => void) =>
  async (signal: AbortSignal): Promise<AsyncIterable<ChatEvent>> => {
    const body = await shortened(context, asked, signal)
    const client = signedIn(context, ANSWER_TIMEOUT_MS)
    return noted(await client.call(chatStream, { body, signal }), note)
  }

/** A long message goes as a file, which the model is given as far as its window takes it. */
const shortened = async (
  context: Context,
  asked: Asked & { message: string },
  signal: AbortSignal,
) => {
  if (asked.message.length <= LONGEST_MESSAGE) return asked
  const [first = ''] = asked.message.split('\n\n', 1)
  const message = first.length <= LONGEST_MESSAGE / 2 ? first : ''
  const rest = asked.message.slice(message.length).trimStart()
  const file = new File([rest], 'input.txt', { type: 'text/plain' })
  const id = await upload(context, file, signal)
  return { ...asked, message, file_ids: [...(asked.file_ids ?? []), id] }
}

async function* noted(events: AsyncIterable<ChatEvent>, note: (session: string) => void) {
  for await (const event of events) {
    if (event.event === 'start') note(event.data.session_id)
    yield event
  }
}
