import { defineErrors } from '../../platform/http/error.ts'

export const logoutError = defineErrors({
  logout_uri_not_registered: {
    status: 400,
    detail: 'post_logout_redirect_uri is not registered for this client',
  },
  logout_client_differs: { status: 400, detail: 'client_id is not the client of id_token_hint' },
})
