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
  api_key_scopes_too_wide: {
    status: 403,
    detail: 'A key for an agent can have only scopes of the key that creates it',
  },
  api_key_parent_paused: {
    status: 409,
    detail: 'The key that created this one is paused; resume that one',
  },
  api_key_addresses_of_parent: {
    status: 409,
    detail: 'A key for an agent has the addresses of the key that created it; change that one',
  },
  api_key_address_invalid: (index: number) => ({
    status: 422,
    detail: [
      {
        loc: ['body', 'allowed_addresses', index],
        type: 'ip_any_network',
        msg: 'Input should be an address or a range such as 10.0.0.0/8',
      },
    ],
  }),
  api_key_revokes_only_itself: {
    status: 403,
    detail: 'An API key can revoke only itself; sign in to manage keys',
  },
})
