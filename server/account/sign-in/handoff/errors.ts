import { defineErrors } from '../../../platform/http/error.ts'

export const handoffError = defineErrors({
  handoff_origin_not_allowed: { status: 400, detail: 'Origin not allowed' },
  invalid_handoff_token: { status: 400, detail: 'Invalid handoff token' },
})
