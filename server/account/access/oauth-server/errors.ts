import { ApiError, defineErrors } from '../../../platform/http/error.ts'

/** Error codes of OAuth (RFC 6749, RFC 7591, RFC 8707) and OpenID Connect Core 1.0, section 3.1.2.6. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'insufficient_scope'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'interaction_required'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'

/** An error response of the authorization server, with the fields of the RFCs only. */
export class OAuthError extends ApiError {
  override name = 'OAuthError'
  constructor(
    readonly code: OAuthErrorCode,
    description: string,
    status: number = code === 'invalid_client' ? 401 : 400,
    headers: Record<string, string> = {},
  ) {
    super(status, description, { headers: { ...headers, 'cache-control': 'no-store' } })
  }

  override get body(): object {
    return { error: this.code, error_description: this.message }
  }
}

/**
 * Converts an ApiError, such as 413 or 429, to the OAuth format with the same status and headers.
 * @throws OAuthError; any other error unchanged.
 */
export const asOAuthError =
  (invalid: OAuthErrorCode) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error instanceof OAuthError) throw error
    const { status, message, headers } = error
    if (status === 422) throw new OAuthError(invalid, 'Invalid request body')
    const code = status === 429 ? 'temporarily_unavailable' : invalid
    throw new OAuthError(code, message, status, headers)
  }

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
