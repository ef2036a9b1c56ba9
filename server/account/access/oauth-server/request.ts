import { isSamePlace } from '../../../platform/http/url.ts'
import type { ClientFinder, OAuthClient } from './clients.ts'
import { authorizationError, OAuthError, type OAuthErrorCode } from './errors.ts'
import { isSameRedirect } from './redirects.ts'

const NAMES = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'prompt',
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

/**
 * Checks the parameters that have one supported value.
 * @returns the code challenge (PKCE).
 * @throws OAuthError for the client.
 */
export const readChallenge = (fields: RequestFields, resource: string): string => {
  const { response_type, code_challenge = '', code_challenge_method, prompt } = fields
  const refuse = (code: OAuthErrorCode, description: string) => {
    throw new OAuthError(code, description)
  }
  if (response_type !== 'code') refuse('unsupported_response_type', 'response_type must be code')
  if (code_challenge_method !== 'S256')
    refuse('invalid_request', 'PKCE is required, with code_challenge_method S256')
  if (!/^[\w-]{43}$/.test(code_challenge))
    refuse('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  checkResource(fields.resource, resource)
  if (prompt?.split(' ').includes('none'))
    refuse('consent_required', 'prompt=none is not supported, because the user must consent')
  return code_challenge
}

/**
 * A query selects tools of the same resource, and some clients send it.
 * @throws OAuthError for another resource. The parameter is optional.
 */
export const checkResource = (requested: string | undefined, resource: string): void => {
  if (requested === undefined || isSamePlace(requested.split('?', 1).join(), resource)) return
  throw new OAuthError('invalid_target', `resource must be ${resource}`)
}
