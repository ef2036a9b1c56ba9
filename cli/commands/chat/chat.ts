import { aboutAnswer, showAnswer } from '../../answer.ts'
import { type Context, signedIn } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { readMessage } from '../../input.ts'
import { type Asked, ask, type ChatOptions, prepare } from './ask.ts'

export type ChatArgs = ChatOptions & { words: string[] }

const EXAMPLE = 'svc chat "What does Ada drink?"'

/** Says one thing and shows the answer; without anything to say, talks at the terminal. */
export const chat = async (context: Context, args: ChatArgs): Promise<void> => {
  const { io, json } = context
  signedIn(context)
  if (args.words.length === 0 && io.stdinIsTerminal) {
    if (json || !io.stderrIsTerminal)
      throw usageError('There is nothing to say.', `Run: ${EXAMPLE}`)
    const { converse } = await import('./converse.ts')
    return converse(context, await prepare(context, args))
  }
  const message = await readMessage(args.words, io, EXAMPLE)
  const asked = await prepare(context, args)
  await sayOnce(context, { ...asked, message })
}

const sayOnce = async (context: Context, asked: Asked & { message: string }): Promise<void> => {
  let session = asked.session_id
  try {
    const answered = await showAnswer(
      context,
      ask(context, asked, (id) => {
        session = id
      }),
    )
    if (!context.json) context.io.note(aboutAnswer(answered))
  } finally {
    if (session) context.io.note(`Go on with: svc chat --session ${session} "…"`)
  }
}
