import { errorText } from '../../../../shared/errors.ts'
import { defineErrors } from '../../../platform/http/error.ts'

export const mfaError = defineErrors({
  mfa_not_set_up: { status: 400, detail: 'Set up a second factor first' },
  wrong_code: { status: 400, detail: 'Invalid code' },
  mfa_not_enabled: { status: 400, detail: 'No second factor is enabled' },
  mfa_already_enabled: { status: 409, detail: 'A second factor is already enabled' },
  challenge_ended: {
    status: 401,
    detail: errorText.badCredentials,
    headers: { 'www-authenticate': 'Bearer' },
  },
})
