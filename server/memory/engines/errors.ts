import { defineErrors } from '../../platform/http/error.ts'

export const engineError = defineErrors({
  engine_not_found: { status: 404, detail: 'Engine not found' },
})
