import { defineErrors } from '../../../platform/http/error.ts'

/**
 * Errors of an authorization request that the user sees, because the redirect URI is not known to be the
 * client's. All others are an `OAuthError`, which the client receives.
 */
export const authorizationError = defineErrors({
  client_id_missing: { status: 400, detail: 'client_id is required' },
  redirect_uri_missing: { status: 400, detail: 'redirect_uri is required' },
  redirect_uri_not_registered: {
    status: 400,
    detail: 'redirect_uri is not registered for this client',
  },
  oauth_client_unknown: {
    status: 400,
    detail: 'Unknown client_id. Remove this connection in the app and connect again.',
  },
  client_metadata_invalid: (host: string, problem: string) => ({
    status: 400,
    detail: `The client metadata document at ${host} is invalid: ${problem}`,
  }),
})
