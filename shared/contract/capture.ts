import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Project } from './memories.ts'

/** How a turn reached svc. */
export const CAPTURE_CHANNELS = ['hook', 'proxy', 'import'] as const

/** The longest content of one captured message, in characters. */
export const MAX_CAPTURED_LENGTH = 400_000

const Name = (description: string, examples: string[]) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description, examples })

export const AssistantClient = (options = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 50,
    pattern: '^[a-z0-9][a-z0-9._-]*$',
    description: 'The assistant or program that the conversation is held with.',
    examples: ['codex'],
    ...options,
  })
export const AssistantSession = () =>
  Name('The id of the conversation in that program. A resumed conversation has the same one.', [
    '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d',
  ])

export const CapturedMessage = Type.Object({
  turn: Name('The id of the turn, or the ordinal of the prompt in the conversation.', ['1']),
  role: OneOf(['user', 'assistant'], { description: 'Who wrote it.' }),
  content: Type.String({
    minLength: 1,
    maxLength: MAX_CAPTURED_LENGTH,
    pattern: '\\S',
    description:
      'The text, verbatim. A text over 32,000 characters becomes several memories, split at the ends of paragraphs.',
    examples: ['Deploy to Hetzner, never to AWS.'],
  }),
  ordinal: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: 'The number of the prompt in the conversation, from 1.',
      }),
    ),
  ),
  occurred_at: Type.Optional(Nullable(Timestamp(), { description: 'Default: now.' })),
})
export type CapturedMessage = Static<typeof CapturedMessage>

export const Capture = Type.Object({
  client: AssistantClient(),
  channel: OneOf(CAPTURE_CHANNELS, {
    description:
      '`hook`: taken while the person talks; `proxy`: from requests to a model; `import`: read from a transcript.',
  }),
  session: AssistantSession(),
  project: Type.Optional(
    Nullable(Project(), {
      description: 'The project of the conversation, from the git remote or the folder.',
    }),
  ),
  messages: Type.Array(CapturedMessage, { minItems: 1, maxItems: 500 }),
})
export type Capture = Static<typeof Capture>

export const Captured = Type.Object({
  memories: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      turn: Type.String(),
      role: Type.String(),
      deduplicated: Type.Boolean({ description: 'Whether this turn was already stored.' }),
    }),
  ),
  count: Type.Integer({ description: 'The number of new memories.' }),
})
export type Captured = Static<typeof Captured>

export const CaptureSession = Type.Object({
  client: Type.String(),
  session: Type.String(),
  thread: Type.String({ description: 'The thread of its memories.' }),
  project: Nullable(Type.String()),
  memories: Type.Integer({ description: 'The number of its memories that are not deleted.' }),
  deleted: Type.Integer({ description: 'The number of its deleted memories.' }),
  first_at: Timestamp(),
  last_at: Timestamp(),
})
export type CaptureSession = Static<typeof CaptureSession>

const CaptureKey = Type.Object({ client: AssistantClient(), session: AssistantSession() })

const RestoreCapture = Type.Object({
  ...CaptureKey.properties,
  deleted_since: Type.Optional(
    Nullable(Timestamp(), {
      description:
        'Only memories that were deleted at this time or later: that of a deletion, to undo it alone. Default: all.',
    }),
  ),
})

const tag = 'Capture'

export const capture = endpoint({
  name: 'capture',
  method: 'POST',
  path: '/api/captures',
  tag,
  summary: 'Store turns of a conversation with an assistant, each once',
  credential: 'bearer',
  body: Capture,
  isIdempotent: true,
  success: [201, Captured],
})

export const listCaptures = endpoint({
  name: 'listCaptures',
  method: 'GET',
  path: '/api/captures',
  tag,
  summary: 'List the conversations that were captured, newest first',
  credential: 'bearer',
  query: Type.Object({
    client: Type.Optional(AssistantClient({ description: 'Only those of this assistant.' })),
    limit: PageSize(20),
    cursor: Type.Optional(
      Type.String({ maxLength: 1_000, description: '`next_cursor` of the page before.' }),
    ),
  }),
  success: [
    200,
    Type.Object({
      sessions: Type.Array(CaptureSession),
      next_cursor: Nullable(Type.String()),
    }),
  ],
  errors: { 422: ['invalid_cursor'] },
})

export const deleteCapture = endpoint({
  name: 'deleteCapture',
  method: 'DELETE',
  path: '/api/captures',
  tag,
  summary: 'Delete the memories of a captured conversation; restorable for 30 days',
  credential: 'bearer',
  query: CaptureKey,
  success: [
    200,
    Type.Object({
      deleted: Type.Integer(),
      deleted_since: Timestamp({
        description: 'The start of the deletion. A restore with it leaves what was deleted before.',
      }),
    }),
  ],
  errors: { 404: ['capture_not_found'] },
})

export const restoreCapture = endpoint({
  name: 'restoreCapture',
  method: 'POST',
  path: '/api/captures/restore',
  tag,
  summary: 'Restore the deleted memories of a captured conversation',
  credential: 'bearer',
  body: RestoreCapture,
  success: [200, Type.Object({ restored: Type.Integer() })],
  errors: { 404: ['capture_not_found'] },
})
