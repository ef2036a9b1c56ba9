import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

export const MemoryType = OneOf(['semantic', 'episodic', 'procedural', 'preference'], {
  description: 'A fact, an event, how something is done, or what somebody likes.',
})
export type MemoryType = Static<typeof MemoryType>

export const ScopeMode = OneOf(['tiered', 'agent', 'personal', 'org', 'all'], {
  description:
    'Whose memories are recalled: the agent’s first, then the person’s, then the organization’s (`tiered`), those of one of them alone, or `all` by their scores.',
})
export type ScopeMode = Static<typeof ScopeMode>

const Tags = (options = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 64, ...options })
export const Thread = (options = {}) => Type.String({ minLength: 1, maxLength: 500, ...options })
const Author = (options = {}) => Type.String({ minLength: 1, maxLength: 200, ...options })
const AgentSlug = (options = {}) => Type.String({ minLength: 1, maxLength: 100, ...options })

const Content = () =>
  Type.String({
    minLength: 1,
    maxLength: 32_000,
    pattern: '\\S',
    description: 'What to remember, in plain words.',
    examples: ['Ada prefers tea to coffee.'],
  })
const Importance = () =>
  Type.Number({ minimum: 0, maximum: 1, description: 'How much it matters.' })
const Labels = () => Tags({ description: 'Labels that recall can be narrowed to.' })
/** Any JSON object; a key may be any text, line breaks included. */
const Metadata = (options = {}) =>
  Type.Record(Type.String({ pattern: '^[^]*$' }), Type.Unknown(), options)
const GivenMetadata = () =>
  Metadata({ description: 'Kept beside it as given; up to 65,536 characters of JSON.' })

const Context = () => ({
  thread: Type.Optional(
    Nullable(Thread(), { description: 'The conversation or document this is part of.' }),
  ),
  position: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), {
      description:
        'The place in its thread, for what is written out of order; else after the last.',
    }),
  ),
  author: Type.Optional(Nullable(Author(), { description: 'Who said or wrote it.' })),
  agent_slug: Type.Optional(
    Nullable(AgentSlug(), { description: 'The agent whose memory it is.' }),
  ),
  occurred_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When it happened, if not now.' }),
  ),
})

export const Remember = Type.Object({
  content: Content(),
  memory_type: withDefault(MemoryType, 'semantic'),
  importance: withDefault(Importance(), 0.5),
  tags: withDefault(Labels(), []),
  ...Context(),
  metadata: withDefault(GivenMetadata(), {}),
  supersedes: Type.Optional(
    Nullable(Uuid(), {
      description: 'The memory that this one takes the place of; it stays for `as_of`.',
    }),
  ),
})
export type Remember = Static<typeof Remember>

/** What is left out stays as it is. */
export const UpdateMemory = Type.Object({
  content: Type.Optional(Content()),
  memory_type: Type.Optional(MemoryType),
  importance: Type.Optional(Importance()),
  tags: Type.Optional(Labels()),
  ...Context(),
  metadata: Type.Optional(GivenMetadata()),
})
export type UpdateMemory = Static<typeof UpdateMemory>

export const RememberBatch = Type.Object({
  memories: Type.Array(Remember, { minItems: 1, maxItems: 1000 }),
})
export type RememberBatch = Static<typeof RememberBatch>

export const Memory = Type.Object({
  memory_id: Uuid(),
  content_text: Type.String(),
  memory_type: MemoryType,
  importance: Type.Number(),
  tags: Type.Array(Type.String()),
  thread: Nullable(Type.String()),
  position: Nullable(Type.Integer({ description: 'The place in its thread, from 1.' })),
  author: Nullable(Type.String()),
  agent_slug: Nullable(Type.String()),
  org_id: Nullable(Uuid()),
  source: Type.Object({
    kind: Type.String({ description: 'What wrote it: `api_key` or `session` for a caller.' }),
    ref: Nullable(Type.String({ description: 'Which one: the id of the key or session.' })),
  }),
  metadata: Metadata(),
  occurred_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  valid_from: Nullable(Timestamp()),
  valid_to: Nullable(Timestamp()),
  supersedes: Nullable(Uuid()),
  superseded_by: Nullable(Uuid()),
})
export type Memory = Static<typeof Memory>

export const Remembered = Type.Object({
  ...Memory.properties,
  deduplicated: Type.Boolean({ description: 'The same content was there already.' }),
})
export type Remembered = Static<typeof Remembered>

export const RememberedBatch = Type.Object({
  memories: Type.Array(Remembered),
  count: Type.Integer(),
})
export type RememberedBatch = Static<typeof RememberedBatch>

export const Recall = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 32_000,
    pattern: '\\S',
    description: 'A question or some words.',
    examples: ['What does Ada drink?'],
  }),
  limit: Limit(10),
  memory_type: Type.Optional(Nullable(MemoryType, { description: 'Only memories of this kind.' })),
  tags: Type.Optional(Nullable(Tags({ description: 'Only memories that carry all of these.' }))),
  thread: Type.Optional(Nullable(Thread(), { description: 'Only this conversation or document.' })),
  author: Type.Optional(
    Nullable(Author(), { description: 'Only what this person said or wrote.' }),
  ),
  agent_slug: Type.Optional(Nullable(AgentSlug(), { description: 'Only memories of this agent.' })),
  scope: Type.Optional(
    Nullable(ScopeMode, {
      description: `${ScopeMode.description} Left out: the person’s, or those of the organization they act in.`,
    }),
  ),
  since: Type.Optional(
    Nullable(Timestamp(), { description: 'Only what happened at or after this.' }),
  ),
  until: Type.Optional(Nullable(Timestamp(), { description: 'Only what happened before this.' })),
  as_of: Type.Optional(
    Nullable(Timestamp(), {
      description: 'Only what held at this time, also what was superseded since.',
    }),
  ),
  explain: withDefault(Type.Boolean({ description: 'Say how each score came about.' }), false),
})
export type Recall = Static<typeof Recall>

export const Explanation = Type.Object(
  {
    words: Type.Number({ description: 'BM25 of the question’s words in it and right around it.' }),
    coverage: Type.Number({
      description: 'How much of the question that covers: 0.2-1, and 0 for nothing.',
    }),
    thread: Type.Number({ description: 'What the BM25 of its whole thread adds.' }),
    semantic: Type.Number({ description: 'What its likeness to the question by a model adds.' }),
    time: Type.Number({ description: 'What a time that the question names adds.' }),
    author: Type.Number({ description: 'The factor for the author whom the question names.' }),
    dialogue: Type.Number({ description: 'The factor for answering a question, or asking one.' }),
    date: Type.Number({ description: 'The factor for a time that the question names.' }),
    length: Type.Number({ description: 'The factor for how much it says, beside the others.' }),
  },
  {
    description:
      'score = (words × coverage + thread + semantic + time) × author × dialogue × date × length',
  },
)
export type Explanation = Static<typeof Explanation>

export const RecalledMemory = Type.Object({
  ...Memory.properties,
  score: Type.Number(),
  explanation: Type.Optional(Explanation),
})
export type RecalledMemory = Static<typeof RecalledMemory>

export const Recalled = Type.Object({
  memories: Type.Array(RecalledMemory),
  count: Type.Integer(),
})
export type Recalled = Static<typeof Recalled>

export const MemoryList = Type.Object({
  memories: Type.Array(Memory),
  next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` for the next page.' })),
})
export type MemoryList = Static<typeof MemoryList>

export const MemoryEvent = Type.Object({
  id: Uuid(),
  action: OneOf(['created', 'updated', 'superseded', 'deleted', 'restored']),
  actor: Type.Object({
    kind: Type.String({ description: '`api_key`, `session` or `engine`.' }),
    ref: Nullable(
      Type.String({ description: 'The id of the key or session, or the name of the engine.' }),
    ),
  }),
  before: Nullable(
    Type.Object({
      content_text: Type.String(),
      memory_type: MemoryType,
      importance: Type.Number(),
      tags: Type.Array(Type.String()),
      thread: Nullable(Type.String()),
      position: Type.Optional(Nullable(Type.Integer())),
      author: Nullable(Type.String()),
      agent_slug: Nullable(Type.String()),
      metadata: Metadata(),
      occurred_at: Nullable(Timestamp()),
    }),
    { description: 'What it was until then, for an update.' },
  ),
  created_at: Timestamp(),
})
export type MemoryEvent = Static<typeof MemoryEvent>
