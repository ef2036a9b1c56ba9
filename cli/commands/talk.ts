import { talkStream } from '../../shared/contract/talk.ts'
import type { ScopeMode } from '../../shared/schemas/memory.ts'
import { ANSWER_TIMEOUT_MS, aboutAnswer, showAnswer } from '../answer.ts'
import { type Context, signedIn } from '../context.ts'
import { given } from '../given.ts'
import { readMessage } from '../input.ts'

export interface TalkArgs {
  words: string[]
  agent?: string
  task?: string
  scope?: ScopeMode
}

const EXAMPLE = 'svc talk --agent reviewer "The build is green."'

/** Says something as an agent, and shows the answer; the exchange is remembered. */
export const talk = async (context: Context, args: TalkArgs): Promise<void> => {
  const { io } = context
  const client = signedIn(context, ANSWER_TIMEOUT_MS)
  const message = await readMessage(args.words, io, EXAMPLE)
  const body = {
    message,
    ...given({ agent_slug: args.agent, current_task: args.task, scope_mode: args.scope }),
  }
  const answered = await showAnswer(context, (signal) => client.call(talkStream, { body, signal }))
  if (!context.json) io.note(aboutAnswer(answered))
}
