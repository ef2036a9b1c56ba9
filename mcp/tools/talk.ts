import { ApiFailure } from '../../shared/client.ts'
import { talkStream } from '../../shared/contract/index.ts'
import { TalkAnswer, TalkRequest } from '../../shared/schemas/talk.ts'
import { UnknownAnswer } from '../host.ts'
import { type Report, tool } from './tool.ts'

/** How many characters of an answer are news enough to tell of. */
const NEWS_CHARS = 200

export const talkTool = tool({
  name: 'talk',
  title: 'Talk to svc',
  description:
    'Says something to svc and gets an answer that is made from what is remembered. The exchange is remembered too. It may take a minute; to look something up, recall is faster.',
  input: TalkRequest,
  output: TalkAnswer,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  // A model may think for minutes before its first word; cancelling ends it sooner.
  settings: { timeoutMs: 5 * 60_000 },
  async call(client, body, { signal, report }) {
    const narrator = narrate(report)
    for await (const { event, data } of await client.call(talkStream, { body, signal })) {
      signal.throwIfAborted()
      if (event === 'start') await narrator.tell(`${data.model ?? data.provider} answers`)
      if (event === 'memories') await narrator.tell(`memories recalled: ${data.memories.length}`)
      if (event === 'tool') await narrator.tell(`${data.name}: ${data.state}`)
      if (event === 'delta') await narrator.hear(data.text)
      if (event === 'error') throw new ApiFailure(503, data.detail, null)
      if (event === 'done') {
        const { agent_slug, icog_response, memories, created_at } = data.exchange
        return { agent_slug, icog_response, memories, created_at }
      }
    }
    throw new UnknownAnswer('The answer ended before it was done')
  },
  text: ({ icog_response }) => icog_response,
})

/** Reports what happens, and an answer as it grows; each report counts one more. */
const narrate = (report: Report) => {
  let reports = 0
  let heard = ''
  let told = 0
  const tell = (message: string) => report(++reports, message)
  return {
    tell,
    async hear(text: string) {
      heard += text
      if (told > 0 && heard.length - told < NEWS_CHARS) return
      told = heard.length
      await tell(`${heard.length} characters so far`)
    },
  }
}
