import { recall } from '../../shared/contract/index.ts'
import { Recall, Recalled, type RecalledMemory } from '../../shared/schemas/memory.ts'
import { tool } from './tool.ts'

export const recallTool = tool({
  name: 'recall',
  title: 'Recall memories',
  description:
    'Finds what was remembered about something, best match first. Ask in the words of the question, with the names in it.',
  input: Recall,
  output: Recalled,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  call: (client, body, { signal }) => client.call(recall, { body, signal }),
  text: ({ memories }) =>
    memories.length ? memories.map(line).join('\n') : 'Nothing is remembered about this.',
})

const line = (memory: RecalledMemory, index: number): string => {
  const date = (memory.occurred_at ?? memory.created_at).slice(0, 10)
  const origin = memory.author ? `${date}, ${memory.author}` : date
  return `${index + 1}. [${origin}] ${memory.content_text.replaceAll('\n', '\n   ')}`
}
