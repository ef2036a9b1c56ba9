import type { FieldError } from '../../../shared/errors.ts'
import { defineErrors } from '../../platform/http/error.ts'

export const memoryError = defineErrors({
  memory_not_found: { status: 404, detail: 'Memory not found' },
  memory_superseded: {
    status: 409,
    detail: 'The memory is superseded; change the memory in superseded_by',
  },
  filter_missing: {
    status: 422,
    detail: [{ loc: ['body'], type: 'missing', msg: 'A filter is required, or all: true' }],
  },
  other_memories_match: (count: number) => ({
    status: 409,
    detail: `${count} memories match now; nothing was deleted`,
  }),
  memory_duplicate: { status: 409, detail: 'The same content is remembered already' },
  superseded_not_found: { status: 404, detail: 'The memory to supersede does not exist' },
  superseded_twice: { status: 409, detail: 'The memory to supersede was superseded already' },
  superseded_is_trusted: {
    status: 403,
    detail:
      'The memory to supersede is trusted more than the one that is to replace it; only its user can do this',
  },
  supersedes_itself: { status: 409, detail: 'A memory cannot supersede itself' },
  nothing_new: {
    status: 422,
    detail: [
      {
        loc: ['body', 'content'],
        type: 'value_error',
        msg: 'The text holds only memories that svc gave, which are stored already',
      },
    ],
  },
  metadata_too_long: (errors: FieldError[]) => ({ status: 422, detail: errors }),
})
