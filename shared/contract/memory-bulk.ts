import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Tags } from './memories.ts'
import { MEMORY_FILTER } from './memory-lists.ts'

const { deleted: _, ...SELECTION } = MEMORY_FILTER
/** An empty list would select as much as none: a program that found no tags would delete all. */
const FILTER = {
  ...SELECTION,
  tags: Type.Optional(Tags({ minItems: 1, description: MEMORY_FILTER.tags.description })),
}

export const ForgetMatching = Type.Object(
  {
    ...FILTER,
    all: withDefault(
      Type.Boolean({ description: 'Required to delete all memories, without a filter.' }),
      false,
    ),
    expected: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'How many are to be deleted; 409 if another number matches now.',
      }),
    ),
    dry_run: withDefault(Type.Boolean({ description: 'Counts them, and deletes none.' }), false),
  },
  { examples: [{ tag: 'work' }] },
)
export type ForgetMatching = Static<typeof ForgetMatching>

export const ForgottenMemories = Type.Object({
  count: Type.Integer({ description: 'The number that was deleted, or would be.' }),
  deleted_since: Nullable(Timestamp(), {
    description: 'For `POST /api/memories/restore`; null where none was deleted.',
  }),
})
export type ForgottenMemories = Static<typeof ForgottenMemories>

export const RestoreMatching = Type.Object({
  ...FILTER,
  deleted_since: Timestamp({ description: 'Only memories deleted at this time or later.' }),
})
export type RestoreMatching = Static<typeof RestoreMatching>

export const RestoredMemories = Type.Object({ count: Type.Integer() })
export type RestoredMemories = Static<typeof RestoredMemories>

const tag = 'Memory'

export const forgetMatching = endpoint({
  name: 'forgetMatching',
  queue: 'bulk',
  method: 'POST',
  path: '/api/memories/forget',
  tag,
  summary: 'Delete all memories that match a filter; they can be restored for 30 days',
  credential: 'bearer',
  refusesUnknown: true,
  body: ForgetMatching,
  success: [200, ForgottenMemories],
  errors: { 409: ['other_memories_match'], 422: ['filter_missing'] },
})

export const restoreMatching = endpoint({
  name: 'restoreMatching',
  queue: 'bulk',
  method: 'POST',
  path: '/api/memories/restore',
  tag,
  summary: 'Restore the memories that match a filter and were deleted at a time or later',
  credential: 'bearer',
  refusesUnknown: true,
  body: RestoreMatching,
  success: [200, RestoredMemories],
})
