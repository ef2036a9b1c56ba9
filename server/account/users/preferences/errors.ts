import { defineErrors } from '../../../platform/http/error.ts'
import { literalError } from '../../../platform/http/field-errors.ts'

export const preferenceError = defineErrors({
  unknown_preference: { status: 404, detail: 'Unknown preference' },
  preference_value_not_allowed: (allowed: string[]) => ({
    status: 422,
    detail: [{ loc: ['body', 'value'], ...literalError(allowed) }],
  }),
})
