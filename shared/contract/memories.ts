import { type Static, Type } from '@sinclair/typebox'
import {
  AnyObject,
  MAX_TEXT_LENGTH,
  Nullable,
  OneOf,
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

/** The lowest of several levels: text that is made of others is trusted like the least of them. */
export const lowestTrust = (...levels: Trust[]): Trust =>
  TRUST_LEVELS[Math.max(0, ...levels.map((level) => TRUST_LEVELS.indexOf(level)))] ?? 'external'

/** A text with the keyword `label` is stored normalized, and compared folded (`shared/labels.ts`). */
export const Tag = (options = {}) =>
  Type.String({ label: true, minLength: 1, maxLength: 100, ...options })
export const MAX_TAGS = 64
export const Tags = (options = {}) => Type.Array(Tag(), { maxItems: MAX_TAGS, ...options })
/** The tags of a filter, which may have one by its own name. @returns undefined without any. */
export const allTags = ({
  tag,
  tags,
}: {
  tag?: string | null | undefined
  tags?: string[] | null | undefined
}): string[] | undefined => {
  const all = [...(tag ? [tag] : []), ...(tags ?? [])]
  return all.length ? all : undefined
}

export const Thread = (options = {}) => Type.String({ minLength: 1, maxLength: 500, ...options })
export const Author = (options = {}) =>
  Type.String({ label: true, minLength: 1, maxLength: 200, ...options })
export const AnyAgentSlug = (options = {}) =>
  Type.String({ minLength: 1, maxLength: 100, ...options })

/** The longest name of a project. */
export const MAX_PROJECT_LENGTH = 200

export const Project = (options = {}) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_PROJECT_LENGTH,
    pattern: '\\S',
    examples: ['acme/shop'],
    ...options,
  })

const Content = () =>
  Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
    pattern: '\\S',
    description: 'The text to remember.',
    examples: ['Ada prefers tea to coffee.'],
  })
export const DEFAULT_IMPORTANCE = 0.5

const Importance = (options = {}) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How important the memory is, from 0 to 1.',
    ...options,
  })
const Labels = () =>
  Tags({
    description:
      'Labels that recall can filter by. They are compared without regard to case, blanks and invisible characters.',
  })
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
  project: Type.Optional(
    Nullable(Project(), {
      description:
        'The project that the memory is about, such as the repository of its git remote. Default: none, as for what is about the person.',
    }),
  ),
  occurred_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When it happened. Default: now.' }),
  ),
})

export const Remember = Type.Object({
  content: Content(),
  memory_type: withDefault(MemoryType, 'semantic'),
  /** Optional, so that the default is not filled in: a duplicate without it keeps the importance of the memory. */
  importance: Type.Optional(Importance({ default: DEFAULT_IMPORTANCE })),
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
    project: Nullable(Type.String({ description: 'The project that it is about.' })),
    org_id: Nullable(Uuid()),
    source: Type.Object({
      kind: Type.String({
        description:
          'The kind of writer; for a caller `api_key`, `session`, or `impersonation` for an admin who used the account.',
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
  added: Type.Optional(
    Type.Object(
      {
        tags: Type.Optional(
          Type.Array(Type.String(), { description: 'Tags that it did not have.' }),
        ),
        importance: Type.Optional(Type.Number({ description: 'The new, greater importance.' })),
        project: Type.Optional(
          Type.String({ description: 'The project of a captured message that had none.' }),
        ),
      },
      { description: 'What the stored memory got from this request, where that is something.' },
    ),
  ),
})
export type Remembered = Static<typeof Remembered>

export const RememberedBatch = Type.Object({
  memories: Type.Array(Remembered),
  count: Type.Integer(),
})
export type RememberedBatch = Static<typeof RememberedBatch>

export const MemoryEvent = Type.Object(
  {
    id: Uuid(),
    action: OneOf(['created', 'updated', 'superseded', 'deleted', 'restored']),
    actor: Type.Object({
      kind: Type.String({ description: '`api_key`, `session`, `impersonation` or `engine`.' }),
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
        project: Type.Optional(Nullable(Type.String())),
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
  summary: 'Store a memory; the same content in the same thread and project is stored once',
  credential: 'bearer',
  body: Remember,
  isIdempotent: true,
  success: [201, Remembered],
  affects: ['listMemories'],
  errors: {
    403: ['superseded_is_trusted'],
    404: ['superseded_not_found'],
    409: ['superseded_twice', 'supersedes_itself'],
  },
})

export const rememberBatch = endpoint({
  name: 'rememberBatch',
  queue: 'bulk',
  method: 'POST',
  path: '/api/remember/batch',
  tag,
  summary: 'Store up to 1,000 memories, all or none',
  credential: 'bearer',
  body: RememberBatch,
  isIdempotent: true,
  success: [201, RememberedBatch],
  errors: {
    403: ['superseded_is_trusted'],
    404: ['superseded_not_found'],
    409: ['superseded_twice', 'supersedes_itself'],
  },
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
    403: ['superseded_is_trusted'],
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
  isIdempotent: true,
  success: [200, Memory],
  errors: { 404: ['memory_not_found'], 409: ['memory_duplicate'] },
})
