import type { ScopeMode } from '../../shared/contract/recall.ts'
import { talkStream } from '../../shared/contract/talk.ts'
import { ANSWER_TIMEOUT_MS, showAnswer, summarizeAnswer } from '../answer.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { readMessageInput } from '../input.ts'

interface TalkArgs {
  message: string[]
  agent?: string
  task?: string
  scope?: ScopeMode
}

const EXAMPLE = 'svc talk --agent reviewer "The build is green."'

/** Sends a message as an agent and prints the answer. */
export const runTalk = async (context: Context, args: TalkArgs): Promise<void> => {
  const { io } = context
  const client = signedInClient(context, ANSWER_TIMEOUT_MS)
  const message = await readMessageInput(args.message, io, EXAMPLE)
  const body = {
    message,
    ...definedFields({ agent_slug: args.agent, current_task: args.task, scope_mode: args.scope }),
  }
  const answer = await showAnswer(context, (signal) => client.call(talkStream, { body, signal }))
  if (!context.json) io.info(summarizeAnswer(answer))
}
