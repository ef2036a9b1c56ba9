import { remember } from '../../shared/contract/index.ts'
import { Remember, Remembered } from '../../shared/schemas/memory.ts'
import { tool } from './tool.ts'

export const rememberTool = tool({
  name: 'remember',
  title: 'Remember something',
  description:
    'Keeps something for later conversations: one fact, preference, decision or event, in a sentence that is clear on its own. The same content in the same thread is kept once.',
  input: Remember,
  output: Remembered,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  call: (client, body, { signal }) => client.call(remember, { body, signal }),
  text: ({ memory_id, memory_type, created_at, deduplicated }) =>
    deduplicated
      ? `Already remembered on ${created_at.slice(0, 10)}, as ${memory_id}.`
      : `Remembered as ${memory_id} (${memory_type}).`,
})
