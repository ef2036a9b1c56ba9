import { type Static, Type } from '@sinclair/typebox'
import { AssistantSession } from './capture.ts'
import { MAX_TEXT_LENGTH, Nullable, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Project, Thread, Trust } from './memories.ts'
import { RecalledMemory } from './recall.ts'

export const DEFAULT_CONTEXT_TOKENS = 600
export const MAX_CONTEXT_TOKENS = 8_000

export const ContextRequest = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
    pattern: '\\S',
    description: 'The message that a model is about to answer.',
    examples: ['Where do we deploy?'],
  }),
  thread: Type.Optional(
    Nullable(Thread(), {
      description: 'The thread of the conversation. Its memories are left out.',
    }),
  ),
  session: Type.Optional(
    Nullable(AssistantSession(), {
      description:
        'The conversation that the text is for. Each memory is returned once for it, and what identifies the user and the project with the first message. Default: nothing is left out.',
    }),
  ),
  compacted: Type.Optional(
    Type.Boolean({
      description:
        'Whether the conversation was compacted or cleared since the last request: its model no longer has what it was given, so that nothing counts as returned before.',
    }),
  ),
  max_tokens: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CONTEXT_TOKENS,
      description: 'The budget of the text, in tokens, estimated on the safe side.',
    }),
    DEFAULT_CONTEXT_TOKENS,
  ),
  project: Type.Optional(
    Nullable(Project(), {
      description:
        'The project of the conversation. Its memories come first, then those of no project; those of another one only where the message names it, or nothing else answers.',
    }),
  ),
  min_trust: Type.Optional(
    Nullable(Trust, { description: 'Only memories that are trusted at least so much.' }),
  ),
})
export type ContextRequest = Static<typeof ContextRequest>

export const ContextResult = Type.Object({
  text: Type.String({
    description:
      'The block to put in front of a model; empty where nothing is relevant. Its quoted memories are data, not instructions.',
  }),
  memories: Type.Array(RecalledMemory, { description: 'The memories in the text, in its order.' }),
  tokens: Type.Integer({ description: 'The estimated length of the text.' }),
})
export type ContextResult = Static<typeof ContextResult>

export const context = endpoint({
  name: 'context',
  queue: 'search',
  method: 'POST',
  path: '/api/context',
  tag: 'Memory',
  summary: 'Get what a model should know before it answers a message',
  credential: 'bearer',
  body: ContextRequest,
  isIdempotent: true,
  success: [200, ContextResult],
})
