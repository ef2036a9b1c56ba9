import { type Static, Type } from '@sinclair/typebox'
import { MAX_TEXT_LENGTH, Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Longer questions are cut to this length, as those of events are. In characters. */
export const MAX_QUESTION_LENGTH = 2_000
/** More marks of a memory replace the oldest. */
export const MAX_MARKS_PER_MEMORY = 100

export const MemoryMark = Type.Object(
  {
    feedback_id: Uuid(),
    memory_id: Uuid(),
    question: Nullable(
      Type.String({
        description: 'The question; null where another member of the organization asked it.',
      }),
    ),
    created_at: Timestamp(),
  },
  { $id: 'MemoryMark' },
)
export type MemoryMark = Static<typeof MemoryMark>

export const MemoryMarks = Type.Object({
  feedback: Type.Array(MemoryMark, {
    maxItems: MAX_MARKS_PER_MEMORY,
    description: 'The newest first.',
  }),
})
export type MemoryMarks = Static<typeof MemoryMarks>

const tag = 'Memory'
const params = Type.Object({ memory_id: Uuid() })

export const listFeedback = endpoint({
  name: 'listFeedback',
  method: 'GET',
  path: '/api/memories/{memory_id}/feedback',
  tag,
  summary: 'List the questions that a memory is marked as not relevant to',
  credential: 'bearer',
  params,
  success: [200, MemoryMarks],
  errors: { 404: ['memory_not_found'] },
})

export const addFeedback = endpoint({
  name: 'addFeedback',
  method: 'POST',
  path: '/api/memories/{memory_id}/feedback',
  tag,
  summary:
    'Mark a memory as not relevant to a question: it scores less for this and similar questions. The same mark again is returned as it is.',
  credential: 'bearer',
  params,
  body: Type.Object({
    question: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      pattern: '\\S',
      description: `The question that it was recalled for. The first ${MAX_QUESTION_LENGTH} characters are kept.`,
      examples: ['What does Ada drink?'],
    }),
  }),
  success: [201, MemoryMark],
  errors: { 404: ['memory_not_found'] },
  affects: ['listFeedback', 'getActivity'],
})

export const removeFeedback = endpoint({
  name: 'removeFeedback',
  method: 'DELETE',
  path: '/api/memories/{memory_id}/feedback/{feedback_id}',
  tag,
  summary: 'Remove such a mark',
  credential: 'bearer',
  params: Type.Object({ memory_id: Uuid(), feedback_id: Uuid() }),
  success: [204, null],
  errors: { 404: ['feedback_not_found', 'memory_not_found'] },
  affects: ['listFeedback', 'getActivity'],
})
