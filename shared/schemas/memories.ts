import { type Static, Type } from '@sinclair/typebox'
import { AnyObject, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

export const MemoryType = OneOf(['semantic', 'episodic', 'procedural', 'preference'], {
  description:
    '`semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a like or dislike.',
})
export type MemoryType = Static<typeof MemoryType>

export const Tag = (options = {}) => Type.String({ minLength: 1, maxLength: 100, ...options })
export const Tags = (options = {}) => Type.Array(Tag(), { maxItems: 64, ...options })
export const Thread = (options = {}) => Type.String({ minLength: 1, maxLength: 500, ...options })
export const Author = (options = {}) => Type.String({ minLength: 1, maxLength: 200, ...options })
export const AnyAgentSlug = (options = {}) =>
  Type.String({ minLength: 1, maxLength: 100, ...options })

const Content = () =>
  Type.String({
    minLength: 1,
    maxLength: 32_000,
    pattern: '\\S',
    description: 'The text to remember.',
    examples: ['Ada prefers tea to coffee.'],
  })
const Importance = () =>
  Type.Number({ minimum: 0, maximum: 1, description: 'How important the memory is, from 0 to 1.' })
const Labels = () => Tags({ description: 'Labels that recall can filter by.' })
const MetadataInput = () =>
  AnyObject({ description: 'Any JSON object of up to 65,536 characters. It is stored unchanged.' })

const Context = () => ({
  thread: Type.Optional(
    Nullable(Thread(), { description: 'The conversation or document that the memory belongs to.' }),
  ),
  position: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), {
      description:
        'The position in the thread, for memories stored out of order. Default: after the last one.',
    }),
  ),
  author: Type.Optional(Nullable(Author(), { description: 'The person who said or wrote it.' })),
  agent_slug: Type.Optional(
    Nullable(AnyAgentSlug(), { description: 'The agent that the memory belongs to.' }),
  ),
  occurred_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When it happened. Default: now.' }),
  ),
})

export const Remember = Type.Object({
  content: Content(),
  memory_type: withDefault(MemoryType, 'semantic'),
  importance: withDefault(Importance(), 0.5),
  tags: withDefault(Labels(), []),
  ...Context(),
  metadata: withDefault(MetadataInput(), {}),
  supersedes: Type.Optional(
    Nullable(Uuid(), {
      description:
        'The memory that this one replaces. It is kept, and recall with `as_of` still finds it.',
    }),
  ),
})
export type Remember = Static<typeof Remember>

/** Omitted fields keep their value. */
export const UpdateMemory = Type.Object(
  {
    content: Type.Optional(Content()),
    memory_type: Type.Optional(MemoryType),
    importance: Type.Optional(Importance()),
    tags: Type.Optional(Labels()),
    ...Context(),
    metadata: Type.Optional(MetadataInput()),
    supersedes: Type.Optional(
      Uuid({
        description:
          'The memory that this one replaces. It is kept, and recall with `as_of` still finds it. This cannot be undone.',
      }),
    ),
  },
  { examples: [{ content: 'Ada prefers green tea.' }] },
)
export type UpdateMemory = Static<typeof UpdateMemory>

export const RememberBatch = Type.Object({
  memories: Type.Array(Remember, { minItems: 1, maxItems: 1000 }),
})
export type RememberBatch = Static<typeof RememberBatch>

export const Memory = Type.Object(
  {
    memory_id: Uuid(),
    content_text: Type.String(),
    memory_type: MemoryType,
    importance: Type.Number(),
    tags: Type.Array(Type.String()),
    thread: Nullable(Type.String()),
    position: Nullable(Type.Integer({ description: 'The position in the thread, from 1.' })),
    author: Nullable(Type.String()),
    agent_slug: Nullable(Type.String()),
    org_id: Nullable(Uuid()),
    source: Type.Object({
      kind: Type.String({
        description: 'The kind of writer; `api_key` or `session` for a caller.',
      }),
      ref: Nullable(Type.String({ description: 'The id of the API key or session.' })),
    }),
    metadata: AnyObject(),
    occurred_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    valid_from: Nullable(Timestamp()),
    valid_to: Nullable(Timestamp()),
    supersedes: Nullable(Uuid()),
    superseded_by: Nullable(Uuid()),
  },
  { $id: 'Memory' },
)
export type Memory = Static<typeof Memory>

export const Remembered = Type.Object({
  ...Memory.properties,
  deduplicated: Type.Boolean({ description: 'Whether the same content was already stored.' }),
})
export type Remembered = Static<typeof Remembered>

export const RememberedBatch = Type.Object({
  memories: Type.Array(Remembered),
  count: Type.Integer(),
})
export type RememberedBatch = Static<typeof RememberedBatch>

export const MemoryList = Type.Object({
  memories: Type.Array(Memory),
  next_cursor: Nullable(
    Type.String({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type MemoryList = Static<typeof MemoryList>

export const MemoryEvent = Type.Object(
  {
    id: Uuid(),
    action: OneOf(['created', 'updated', 'superseded', 'deleted', 'restored']),
    actor: Type.Object({
      kind: Type.String({ description: '`api_key`, `session` or `engine`.' }),
      ref: Nullable(
        Type.String({
          description: 'The id of the API key or session, or the name of the engine.',
        }),
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
        metadata: AnyObject(),
        occurred_at: Nullable(Timestamp()),
      }),
      { description: 'The memory before the change, for an update.' },
    ),
    created_at: Timestamp(),
  },
  { $id: 'MemoryEvent' },
)
export type MemoryEvent = Static<typeof MemoryEvent>
