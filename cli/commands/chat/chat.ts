import { showAnswer, summarizeAnswer } from '../../answer.ts'
import { warnOfProvider } from '../../chat-options.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { readMessageInput } from '../../input.ts'
import { type ChatInput, type ChatOptions, prepareChat, startChat } from './request.ts'

type ChatArgs = ChatOptions & { message: string[] }

const EXAMPLE = 'svc chat "What does Ada drink?"'

/** Sends one message, or starts an interactive chat at a terminal. */
export const runChat = async (context: Context, args: ChatArgs): Promise<void> => {
  const { io, json } = context
  signedInClient(context)
  if (args.message.length === 0 && io.stdinIsTerminal) {
    if (json || !io.stderrIsTerminal) throw usageError('The message is empty.', `Run: ${EXAMPLE}`)
    const { runInteractiveChat } = await import('./interactive.ts')
    return runInteractiveChat(context, await prepareChat(context, args))
  }
  const message = await readMessageInput(args.message, io, EXAMPLE)
  const input = await prepareChat(context, args)
  await sendOnce(context, { ...input, message })
}

const sendOnce = async (
  context: Context,
  input: ChatInput & { message: string },
): Promise<void> => {
  let session = input.session_id
  try {
    const answer = await showAnswer(
      context,
      startChat(context, input, (id) => {
        session = id
      }),
    )
    warnOfProvider(context, input.provider, answer.start?.provider)
    if (!context.json) context.io.info(summarizeAnswer(answer))
  } finally {
    if (session) context.io.info(`Continue with: svc chat --session ${session} "…"`)
  }
}
