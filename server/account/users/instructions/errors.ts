import { defineErrors } from '../../../platform/http/error.ts'

export const instructionError = defineErrors({
  instructions_too_long: (limit: number) => ({
    status: 400,
    detail: `Custom instructions must be under ${limit} characters`,
  }),
})
