import { type Static, Type } from '@sinclair/typebox'
import { AssistantClient } from './capture.ts'
import {
  AnyObject,
  MAX_TEXT_LENGTH,
  Nullable,
  OneOf,
  PageSize,
  Timestamp,
  Uuid,
  withDefault,
} from './common.ts'
import { endpoint } from './endpoint.ts'

export const MEMORY_TYPES = ['semantic', 'episodic', 'procedural', 'preference'] as const

export const MemoryType = OneOf(MEMORY_TYPES, {
  description:
    '`semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a like or dislike.',
})
export type MemoryType = Static<typeof MemoryType>

/** Who a memory comes from, most trusted first. */
export const TRUST_LEVELS = ['user', 'assistant', 'imported', 'external'] as const

export const Trust = OneOf(TRUST_LEVELS, {
  description:
    'Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant, or a tool that it called; `imported`: a file; `external`: a page, an email, a device or another person.',
})
export type Trust = Static<typeof Trust>

export const Tag = (options = {}) => Type.String({ minLength: 1, maxLength: 100, ...options })
export const Tags = (options = {}) => Type.Array(Tag(), { maxItems: 64, ...options })
export const Thread = (options = {}) => Type.String({ minLength: 1, maxLength: 500, ...options })
export const Author = (options = {}) => Type.String({ minLength: 1, maxLength: 200, ...options })
export const AnyAgentSlug = (options = {}) =>
  Type.String({ minLength: 1, maxLength: 100, ...options })

const Content = () =>
  Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
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
      trust: Trust,
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

const tag = 'Memory'
const params = Type.Object({ memory_id: Uuid() })

export const remember = endpoint({
  name: 'remember',
  method: 'POST',
  path: '/api/remember',
  tag,
  summary: 'Store a memory; the same content in the same thread is stored once',
  credential: 'bearer',
  body: Remember,
  success: [201, Remembered],
  affects: ['listMemories'],
  errors: { 404: ['superseded_not_found'], 409: ['superseded_twice', 'supersedes_itself'] },
})

export const rememberBatch = endpoint({
  name: 'rememberBatch',
  method: 'POST',
  path: '/api/remember/batch',
  tag,
  summary: 'Store up to 1,000 memories, all or none',
  credential: 'bearer',
  body: RememberBatch,
  success: [201, RememberedBatch],
  errors: { 404: ['superseded_not_found'], 409: ['superseded_twice', 'supersedes_itself'] },
})

/** Selects the memories of a list. */
const FILTER = {
  thread: Type.Optional(Thread()),
  memory_type: Type.Optional(MemoryType),
  tag: Type.Optional(Tag({ description: 'Only memories with this tag.' })),
  author: Type.Optional(Author({ description: 'Only memories by this author.' })),
  agent_slug: Type.Optional(AnyAgentSlug({ description: 'Only memories of this agent.' })),
  client: Type.Optional(
    AssistantClient({ description: 'Only memories captured from this assistant.' }),
  ),
  trust: Type.Optional(
    OneOf(TRUST_LEVELS, { description: 'Only memories that are trusted exactly so much.' }),
  ),
  min_trust: Type.Optional(
    OneOf(TRUST_LEVELS, { description: 'Only memories that are trusted at least so much.' }),
  ),
  since: Type.Optional(
    Timestamp({ description: 'Only memories of events at or after this time.' }),
  ),
  until: Type.Optional(Timestamp({ description: 'Only memories of events before this time.' })),
  deleted: withDefault(
    Type.Boolean({ description: 'The deleted memories that can be restored instead.' }),
    false,
  ),
}

export const MEMORY_ORDERS = ['stored', 'happened'] as const
export type MemoryOrder = (typeof MEMORY_ORDERS)[number]

export const listMemories = endpoint({
  name: 'listMemories',
  method: 'GET',
  path: '/api/memories',
  tag,
  summary: 'List the caller’s memories, newest first',
  credential: 'bearer',
  query: Type.Object({
    limit: PageSize(50),
    cursor: Type.Optional(Uuid({ description: 'The `next_cursor` of the previous page.' })),
    sort: withDefault(
      OneOf(MEMORY_ORDERS, {
        description: '`stored`: the last stored first; `happened`: the last event first.',
      }),
      'stored',
    ),
    ...FILTER,
  }),
  success: [200, MemoryList],
  errors: { 404: ['memory_not_found'] },
})

const Facet = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
  description: 'The most frequent first.',
})

export const MemoryFacets = Type.Object(
  {
    total: Type.Integer({ description: 'The number of memories that match.' }),
    memory_type: Facet,
    trust: Facet,
    tag: Facet,
    author: Facet,
    thread: Facet,
    agent_slug: Facet,
    client: Facet,
  },
  { $id: 'MemoryFacets' },
)
export type MemoryFacets = Static<typeof MemoryFacets>

export const memoryFacets = endpoint({
  name: 'memoryFacets',
  method: 'GET',
  path: '/api/memories/facets',
  tag,
  summary: 'Count the caller’s memories, in all and by each value that they can be listed by',
  credential: 'bearer',
  query: Type.Object({
    limit: PageSize(20),
    ...FILTER,
  }),
  success: [200, MemoryFacets],
})

export const getMemory = endpoint({
  name: 'getMemory',
  method: 'GET',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Get a memory',
  credential: 'bearer',
  params,
  query: Type.Object({
    deleted: withDefault(
      Type.Boolean({ description: 'Get a deleted memory that can be restored instead.' }),
      false,
    ),
  }),
  success: [200, Memory],
  errors: { 404: ['memory_not_found'] },
})

export const deleteMemory = endpoint({
  name: 'deleteMemory',
  method: 'DELETE',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Delete a memory; it can be restored for 30 days',
  credential: 'bearer',
  params,
  query: Type.Object({
    permanent: withDefault(
      Type.Boolean({
        description: 'Delete it immediately and permanently, instead of keeping it for 30 days.',
      }),
      false,
    ),
  }),
  success: [204, null],
  errors: { 404: ['memory_not_found'] },
})

export const updateMemory = endpoint({
  name: 'updateMemory',
  method: 'PATCH',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Update a memory; earlier versions stay in its history',
  credential: 'bearer',
  params,
  body: UpdateMemory,
  success: [200, Memory],
  errors: {
    404: ['memory_not_found', 'superseded_not_found'],
    409: ['memory_superseded', 'memory_duplicate', 'superseded_twice', 'supersedes_itself'],
  },
})

export const memoryHistory = endpoint({
  name: 'memoryHistory',
  method: 'GET',
  path: '/api/memories/{memory_id}/history',
  tag,
  summary: 'List the changes to a memory, oldest first; also for a deleted memory',
  credential: 'bearer',
  params,
  success: [200, Type.Array(MemoryEvent)],
  errors: { 404: ['memory_not_found'] },
})

export const restoreMemory = endpoint({
  name: 'restoreMemory',
  method: 'POST',
  path: '/api/memories/{memory_id}/restore',
  tag,
  summary: 'Restore a memory that was deleted in the last 30 days, or was superseded',
  credential: 'bearer',
  params,
  success: [200, Memory],
  errors: { 404: ['memory_not_found'], 409: ['memory_duplicate'] },
})
