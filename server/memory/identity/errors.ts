import type { FieldError } from '../../../shared/errors.ts'
import { defineErrors } from '../../platform/http/error.ts'

export const identityError = defineErrors({
  conflict_not_found: { status: 404, detail: 'No conflict under that key' },
  conflict_memories_changed: {
    status: 409,
    detail: 'The memories of the conflict changed meanwhile; try again',
  },
  invalid_chosen_value: (type: string, msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', 'chosen_value'], type, msg }] satisfies FieldError[],
  }),
})
