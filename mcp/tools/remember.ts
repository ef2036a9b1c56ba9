import { Type } from '@sinclair/typebox'
import { remember } from '../../shared/contract/index.ts'
import { Remember, Remembered } from '../../shared/contract/memories.ts'
import { expectResponse } from '../response.ts'
import { describeFields } from '../schema.ts'
import { headerOf } from '../text/memory-view.ts'
import { callAbout } from './memory-id.ts'
import { tool } from './tool.ts'
import { replacing, Written, writtenTo, writtenView } from './written.ts'

export const MEMORY_TYPES =
  'semantic: a fact; episodic: an event; procedural: how something is done; preference: what someone likes or wants.'

export const rememberTool = tool({
  name: 'remember',
  title: 'Remember something',
  description:
    'Stores a memory for later conversations. Call it when the user states a lasting fact, a preference, a decision or its reason, or a plan, or asks you to remember something. One item per memory, clear on its own: names instead of pronouns, dates instead of "today". Store no secrets and nothing that you just recalled. For several, call remember_batch. If a memory was wrong or has changed, call update instead.',
  input: Type.Object(
    describeFields(Remember, {
      content: 'The text to remember.',
      memory_type: MEMORY_TYPES,
      importance: 'From 0 to 1.',
      tags: 'Labels to filter by.',
      thread: 'The conversation or document that it belongs to.',
      author: 'Who said or wrote it.',
      occurred_at: 'When it happened. Default: now.',
      supersedes: 'The id of a memory that it replaces.',
    }),
  ),
  output: Type.Object({ ...Written.properties, deduplicated: Type.Boolean() }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, body, { signal }) {
    const response = await callAbout(client, body.supersedes ? [body.supersedes] : [], () =>
      client.call(remember, { body, signal }),
    )
    const memory = expectResponse(Remembered, response)
    const { deduplicated } = memory
    return { ...(await writtenView(client, memory, signal)), deduplicated }
  },
  text: ({ deduplicated, ...memory }) =>
    `${deduplicated ? 'Already remembered' : 'Remembered'}${writtenTo(memory)} as ${headerOf(memory)}${replacing(memory)}.`,
})
