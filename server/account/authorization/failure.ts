import { ApiError } from '../../platform/http/error.ts'

/** The words of OAuth for what is wrong (RFC 6749, RFC 7591, RFC 8707). */
export type OAuthErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An answer of the authorization server that its clients understand. */
export class OAuthError extends ApiError {
  override name = 'OAuthError'
  constructor(
    readonly code: OAuthErrorCode,
    description: string,
  ) {
    super(code === 'invalid_client' ? 401 : 400, description, {
      headers: { 'cache-control': 'no-store' },
    })
  }

  override get body(): object {
    return { error: this.code, error_description: this.message }
  }
}
