import { errorText } from '../../../../shared/errors.ts'
import { defineErrors } from '../../../platform/http/error.ts'

export const keyError = defineErrors({
  api_key_invalid: { status: 401, detail: errorText.invalidKey },
  api_key_expiry_in_past: {
    status: 422,
    detail: [
      {
        loc: ['body', 'expires_at'],
        type: 'datetime_future',
        msg: 'Input should be in the future',
      },
    ],
  },
  api_key_not_found: { status: 404, detail: 'API key not found' },
  api_key_of_another_user: { status: 403, detail: 'This API key belongs to another user' },
  api_key_revokes_only_itself: {
    status: 403,
    detail: 'An API key can revoke only itself; sign in to manage keys',
  },
})
