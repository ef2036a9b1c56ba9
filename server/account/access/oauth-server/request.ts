import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { ClientFinder, OAuthClient } from './clients.ts'
import { authorizationError, OAuthError, type OAuthErrorCode } from './errors.ts'
import { isSameRedirect } from './redirects.ts'
import { type Resources, requestedScopes } from './scopes.ts'

/**
 * Set by the server when it asks a signed-in user to sign in again: the session that does not count, because
 * it began before the request.
 */
export const SIGN_IN_AGAIN = 'sign_in_again'

const NAMES = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'prompt',
  'nonce',
  'max_age',
  'login_hint',
  'id_token_hint',
  'response_mode',
  'request',
  'request_uri',
  'registration',
  SIGN_IN_AGAIN,
] as const

/** The parameters of an authorization request, as the forms pass them on. */
export type RequestFields = Record<string, string>

/** Reads the parameters. A repeated parameter is ignored (RFC 6749, section 3.1). */
export const formFields = (params: URLSearchParams): RequestFields => {
  const fields: RequestFields = {}
  for (const name of NAMES) {
    const [value, ...more] = params.getAll(name)
    if (value !== undefined && more.length === 0) fields[name] = value
  }
  const resources = new Set(params.getAll('resource'))
  if (resources.size) fields.resource = [...resources].join(' ')
  return fields
}

/** An authorization request whose redirect URI is registered for the client. */
export interface AuthorizationRequest {
  client: OAuthClient
  redirectUri: string
  state: string | undefined
}

/** @throws ApiError 400 for an unknown client, and for a redirect URI that is not registered for it. */
export const readAuthorizationRequest = async (
  fields: RequestFields,
  clients: ClientFinder,
  userId: string,
): Promise<AuthorizationRequest> => {
  const { client_id, redirect_uri, state } = fields
  if (!client_id) throw authorizationError('client_id_missing')
  if (!redirect_uri) throw authorizationError('redirect_uri_missing')
  const client = await clients.find(client_id, userId)
  if (!client.redirectUris.some((known) => isSameRedirect(known, redirect_uri)))
    throw authorizationError('redirect_uri_not_registered')
  return { client, redirectUri: redirect_uri, state }
}

/** The parameters of an authorization request whose faults are reported to the client. */
export interface RequestDetails {
  /** PKCE. */
  codeChallenge: string
  /** Null for a request about the MCP endpoint. */
  scopes: AppScope[] | null
  nonce: string | null
  prompts: ReadonlySet<string>
  /** How many seconds ago the user may have signed in. */
  maxAge: number | undefined
}

/** Optional parameters of OpenID Connect that are not supported, with their errors (section 3.1.2.6). */
const UNSUPPORTED = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const

const MAX_NONCE = 1_000

/** @throws OAuthError for the client. */
export const readDetails = (
  fields: RequestFields,
  client: OAuthClient,
  resources: Resources,
): RequestDetails => {
  const { response_type, code_challenge = '', code_challenge_method, response_mode } = fields
  if (response_type !== 'code') refuse('unsupported_response_type', 'response_type must be code')
  for (const [name, code] of Object.entries(UNSUPPORTED))
    if (fields[name] !== undefined) refuse(code, `${name} is not supported`)
  if (response_mode !== undefined && response_mode !== 'query')
    refuse('invalid_request', 'response_mode must be query')
  if (code_challenge_method !== 'S256')
    refuse('invalid_request', 'PKCE is required, with code_challenge_method S256')
  if (!/^[\w-]{43}$/.test(code_challenge))
    refuse('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  const scopes = requestedScopes(
    client,
    { scope: fields.scope, resource: fields.resource },
    resources,
  )
  const prompts = readPrompts(fields.prompt)
  if (prompts.has('none') && scopes === null)
    refuse('consent_required', 'prompt=none is not supported, because the user must consent')
  const { nonce = null } = fields
  if (nonce !== null && nonce.length > MAX_NONCE)
    refuse('invalid_request', `nonce is longer than ${MAX_NONCE} characters`)
  return { codeChallenge: code_challenge, scopes, nonce, prompts, maxAge: readMaxAge(fields) }
}

/** @throws OAuthError for `none` beside another value. */
const readPrompts = (prompt = ''): ReadonlySet<string> => {
  const prompts = new Set(prompt.split(' ').filter(Boolean))
  if (prompts.has('none') && prompts.size > 1)
    refuse('invalid_request', 'prompt=none must be the only value')
  return prompts
}

const readMaxAge = ({ max_age }: RequestFields): number | undefined => {
  if (max_age === undefined) return undefined
  if (!/^\d{1,9}$/.test(max_age)) refuse('invalid_request', 'max_age must be a number of seconds')
  return Number(max_age)
}

const refuse = (code: OAuthErrorCode, description: string): never => {
  throw new OAuthError(code, description)
}
