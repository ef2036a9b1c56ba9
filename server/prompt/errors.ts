import type { FieldError } from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'

export const promptError = defineErrors({
  attached_file_not_found: { status: 404, detail: 'File not found' },
  attached_page_not_found: { status: 404, detail: 'Page not found' },
  content_blocks_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
})
