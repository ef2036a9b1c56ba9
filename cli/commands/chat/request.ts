import { basename } from 'node:path'
import type { ChatEvent } from '../../../shared/contract/chat.ts'
import { chatStream, type Depth } from '../../../shared/contract/chat.ts'
import { MAX_TEXT_LENGTH } from '../../../shared/contract/common.ts'
import { uploadFile } from '../../../shared/contract/files.ts'
import { ANSWER_TIMEOUT_MS } from '../../answer.ts'
import { depths, isDepth } from '../../chat-options.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { usageError } from '../../errors.ts'
import { readBytes } from '../../input.ts'
import { findSession } from '../sessions/ids.ts'

export interface ChatOptions {
  /** An id, a prefix of one or `last`. */
  session?: string
  provider?: string
  depth?: Depth
  file?: string[]
}

/** The fields of a chat request besides the message. */
export interface ChatInput {
  session_id?: string
  provider?: string
  depth?: Depth
  /** Sent only with the next message. */
  file_ids?: string[]
}

/** Resolves the options of a chat and uploads its files. */
export const prepareChat = async (context: Context, options: ChatOptions): Promise<ChatInput> => {
  const depth = options.depth ?? context.storedSettings.depth
  if (depth !== undefined && !isDepth(depth))
    throw usageError(`Unknown depth: ${depth}.`, `Run: svc config set depth ${depths[0]}`)
  const session = options.session ? await findSession(context, options.session) : undefined
  const files = await Promise.all((options.file ?? []).map((path) => uploadPath(context, path)))
  return definedFields({
    session_id: session?.id,
    provider: options.provider ?? context.storedSettings.provider,
    depth,
    file_ids: files.length ? files : undefined,
  })
}

const uploadPath = async (context: Context, path: string): Promise<string> =>
  upload(context, new File([await readBytes(path, context.io.runtime)], basename(path)))

const upload = async (context: Context, file: File, signal?: AbortSignal): Promise<string> =>
  (await signedInClient(context).call(uploadFile, { upload: file, ...definedFields({ signal }) }))
    .id

/**
 * Returns a function that starts the request.
 * @param onSession called with the session id as soon as the server returns it.
 */
export const startChat =
  (
    context: Context,
    input: ChatInput & { message: string },
    onSession: (session: string) => void,
  ) =>
  async (signal: AbortSignal): Promise<AsyncIterable<ChatEvent>> => {
    const body = await moveLongTextToFile(context, input, signal)
    const client = signedInClient(context, ANSWER_TIMEOUT_MS)
    return notifySession(await client.call(chatStream, { body, signal }), onSession)
  }

/** Moves a long text to a file. The server passes the file to the model as far as it fits. */
const moveLongTextToFile = async (
  context: Context,
  input: ChatInput & { message: string },
  signal: AbortSignal,
) => {
  if (input.message.length <= MAX_TEXT_LENGTH) return input
  const [first = ''] = input.message.split('\n\n', 1)
  const message = first.length <= MAX_TEXT_LENGTH / 2 ? first : ''
  const rest = input.message.slice(message.length).trimStart()
  const file = new File([rest], 'input.txt', { type: 'text/plain' })
  const id = await upload(context, file, signal)
  return { ...input, message, file_ids: [...(input.file_ids ?? []), id] }
}

async function* notifySession(
  events: AsyncIterable<ChatEvent>,
  onSession: (session: string) => void,
) {
  for await (const event of events) {
    if (event.event === 'start') onSession(event.data.session_id)
    yield event
  }
}
