import { type Static, Type } from '@sinclair/typebox'
import { ApiFailure, type Client } from '../../shared/client.ts'
import type { Input } from '../../shared/contract/common.ts'
import { talkStream } from '../../shared/contract/index.ts'
import { TalkAnswer, TalkRequest } from '../../shared/contract/talk.ts'
import { UnexpectedResponse } from '../host.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { tokenBudget } from '../text/budget.ts'
import { fitMemories, listText } from '../text/memory-page.ts'
import { MemoryView } from '../text/memory-view.ts'
import { startProgress, type ToolProgress } from './progress.ts'
import { tool } from './tool.ts'

/** The answer comes first; its memories are for looking something up. */
const MEMORY_TOKENS = 1_000

export const talkTool = tool({
  name: 'talk',
  title: 'Talk to svc',
  description:
    'Sends a message to svc, which answers from the memories and remembers the exchange. Call it when the user wants to talk to svc, or an agent reports its work. It counts as a message; to look something up, call recall.',
  input: Type.Object(
    describeFields(TalkRequest, {
      message: 'The message.',
      agent_slug: 'The agent that sends it.',
      current_task: 'What the agent works on.',
      scope_mode:
        'tiered: memories of the agent first, then the user’s, then the organization’s; all: the best of all.',
    }),
  ),
  accepted: TalkRequest,
  output: Type.Object({
    agent_slug: Type.String(),
    icog_response: Type.String(),
    memories: Type.Array(MemoryView),
    created_at: Type.String(),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  // A model may take minutes before its first token. Cancelling aborts the call.
  callOptions: { timeoutMs: 5 * 60_000 },
  async call(client, body, { signal, report }) {
    using progress = startProgress(report)
    const answer = await converse(client, body, signal, progress)
    const { agent_slug, icog_response, created_at } = answer
    const memories = await fitMemories(answer.memories, tokenBudget(MEMORY_TOKENS), body.message)
    return { agent_slug, icog_response, memories, created_at }
  },
  text: ({ icog_response, memories }) =>
    memories.length ? [icog_response, `Memories used:\n${listText(memories)}`] : icog_response,
})

/** Reports the events of an answer, and returns it when it is complete. */
const converse = async (
  client: Client,
  body: Input<typeof TalkRequest>,
  signal: AbortSignal,
  progress: ToolProgress,
): Promise<Static<typeof TalkAnswer>> => {
  await progress.report('recalling memories')
  const query = { progress: true }
  for await (const { event, data } of await client.call(talkStream, { body, query, signal })) {
    signal.throwIfAborted()
    if (event === 'memories') await progress.report(`memories recalled: ${data.memories.length}`)
    if (event === 'start') await progress.report(`${data.model ?? data.provider} answers`)
    if (event === 'tool') await progress.report(`${data.name}: ${data.state}`)
    if (event === 'delta') await progress.addText(data.text)
    if (event === 'error') throw new ApiFailure(503, data.detail, null)
    if (event === 'done') return expectResponse(TalkAnswer, data.exchange)
  }
  throw new UnexpectedResponse('The answer ended before the event `done`')
}
