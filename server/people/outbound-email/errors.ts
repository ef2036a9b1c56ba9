import type { FieldError } from '../../../shared/errors.ts'
import { defineErrors } from '../../platform/http/error.ts'

export const outboundEmailError = defineErrors({
  email_thread_not_found: { status: 404, detail: 'Email thread not found' },
  recipient_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
})
