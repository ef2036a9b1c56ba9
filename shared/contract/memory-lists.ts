import { type Static, Type } from '@sinclair/typebox'
import { AssistantClient } from './capture.ts'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import {
  AnyAgentSlug,
  Author,
  Memory,
  MemoryType,
  Project,
  Tag,
  Tags,
  Thread,
  TRUST_LEVELS,
} from './memories.ts'

const tag = 'Memory'

export const MemoryList = Type.Object({
  memories: Type.Array(Memory),
  next_cursor: Nullable(
    Type.String({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type MemoryList = Static<typeof MemoryList>

/** Selects the memories of a list. */
export const MEMORY_FILTER = {
  thread: Type.Optional(Thread()),
  memory_type: Type.Optional(MemoryType),
  tag: Type.Optional(Tag({ description: 'Only memories with this tag.' })),
  tags: Type.Optional(Tags({ description: 'Only memories that have all of these tags.' })),
  author: Type.Optional(Author({ description: 'Only memories by this author.' })),
  agent_slug: Type.Optional(AnyAgentSlug({ description: 'Only memories of this agent.' })),
  project: Type.Optional(Project({ description: 'Only memories of this project.' })),
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
    ...MEMORY_FILTER,
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
    project: Facet,
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
    ...MEMORY_FILTER,
  }),
  success: [200, MemoryFacets],
})

export const COMPLETED_FIELDS = ['thread', 'tag', 'author', 'memory_id'] as const
export type CompletedField = (typeof COMPLETED_FIELDS)[number]

/** The longest value of a field, which is that of a thread. */
export const MAX_PREFIX_LENGTH = 500

export const MemoryValues = Type.Object(
  {
    values: Type.Array(Type.String(), {
      description: 'Threads in their order, tags and authors by frequency, ids the newest first.',
    }),
    has_more: Type.Boolean(),
  },
  { $id: 'MemoryValues' },
)
export type MemoryValues = Static<typeof MemoryValues>

export const completeMemoryField = endpoint({
  name: 'completeMemoryField',
  method: 'GET',
  path: '/api/memories/values',
  tag,
  summary:
    'Complete the beginning of a thread, tag, author or id by the caller’s memories, in any case of letters. Tags and authors are those of the newest 20,000 memories.',
  credential: 'bearer',
  query: Type.Object({
    field: OneOf(COMPLETED_FIELDS),
    prefix: withDefault(
      Type.String({ maxLength: MAX_PREFIX_LENGTH, description: 'Empty: all values.' }),
      '',
    ),
    limit: PageSize(20),
    min_trust: MEMORY_FILTER.min_trust,
  }),
  success: [200, MemoryValues],
})

export const MemoryChanges = Type.Object({
  reset: Type.Boolean({
    description:
      'The changes since the cursor are not known any more, or there is no cursor: the caller reads all memories after this response (`GET /api/memories/export`).',
  }),
  memories: Type.Array(Memory, {
    description:
      'The memories that were stored, changed or superseded, as they are now, and those that superseded them.',
  }),
  deleted: Type.Array(Uuid(), { description: 'The ids of the memories that were deleted.' }),
  next_cursor: Type.String({ description: 'Pass it as `cursor` to get what changes from now on.' }),
})
export type MemoryChanges = Static<typeof MemoryChanges>

/** How many changes in a row are known. */
export const KNOWN_CHANGES = 63

export const memoryChanges = endpoint({
  name: 'memoryChanges',
  method: 'GET',
  path: '/api/memories/changes',
  tag,
  summary: `Get the memories that changed since an earlier request, up to ${KNOWN_CHANGES} changes`,
  credential: 'bearer',
  query: Type.Object({
    cursor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,15}(-[0-9]{1,15})?$',
        description: 'The `next_cursor` of an earlier response. Without one, `reset` is true.',
        examples: ['42-7'],
      }),
    ),
  }),
  success: [200, MemoryChanges],
})
