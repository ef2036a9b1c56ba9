import { errorText } from '../../../shared/errors.ts'
import { defineErrors } from '../../platform/http/error.ts'

export const consoleError = defineErrors({
  console_asset_not_found: { status: 404, detail: errorText.notFound },
})
