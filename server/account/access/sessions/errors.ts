import { errorText } from '../../../../shared/errors.ts'
import { defineErrors } from '../../../platform/http/error.ts'

/** The contract asks for this header on a 401 that an invalid token causes. */
const headers = { 'www-authenticate': 'Bearer' }

export const sessionError = defineErrors({
  session_token_expired: { status: 401, detail: errorText.tokenExpired, headers },
  session_token_invalid: { status: 401, detail: errorText.badCredentials, headers },
  session_not_found: { status: 404, detail: 'Session not found' },
})
