import { ApiError } from '../../platform/http/error.ts'
import { isSamePlace } from '../../platform/http/own-address.ts'
import type { ClientFinder, OAuthClient } from './clients.ts'
import { OAuthError, type OAuthErrorCode } from './failure.ts'
import { sameRedirect } from './redirects.ts'

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

/** An authorization request as it goes through the forms of the page. */
export type RequestFields = Record<string, string>

/** Reads a request's parameters. One that is given more than once counts as none (RFC 6749, 3.1). */
export const fieldsOf = (given: URLSearchParams): RequestFields => {
  const fields: RequestFields = {}
  for (const name of NAMES) {
    const [value, ...more] = given.getAll(name)
    if (value !== undefined && more.length === 0) fields[name] = value
  }
  const resources = new Set(given.getAll('resource'))
  if (resources.size) fields.resource = [...resources].join(' ')
  return fields
}

/** Who asks, and where the answer goes; both are known to belong together. */
export interface Asker {
  client: OAuthClient
  redirectUri: string
  state: string | undefined
}

/** @throws ApiError 400 for a client that is not known, or a place that is not the client's. */
export const readAsker = async (
  fields: RequestFields,
  clients: ClientFinder,
  userId: string,
): Promise<Asker> => {
  const { client_id, redirect_uri, state } = fields
  if (!client_id) throw new ApiError(400, 'The request does not say which program it is for')
  if (!redirect_uri) throw new ApiError(400, 'The request does not say where to go back to')
  const client = await clients.find(client_id, userId)
  if (!client.redirectUris.some((known) => sameRedirect(known, redirect_uri)))
    throw new ApiError(400, 'The request would send you to where the program never said it is')
  return { client, redirectUri: redirect_uri, state }
}

/**
 * What is asked for: only the challenge is a matter of choice.
 * @throws OAuthError that the client is to be told.
 */
export const readChallenge = (fields: RequestFields, resource: string): string => {
  const { response_type, code_challenge = '', code_challenge_method, prompt } = fields
  const refuse = (code: OAuthErrorCode, why: string) => {
    throw new OAuthError(code, why)
  }
  if (response_type !== 'code') refuse('unsupported_response_type', 'response_type must be code')
  if (code_challenge_method !== 'S256')
    refuse('invalid_request', 'PKCE is required, with code_challenge_method S256')
  if (!/^[\w-]{43}$/.test(code_challenge))
    refuse('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  checkResource(fields.resource, resource)
  if (prompt?.split(' ').includes('none'))
    refuse('consent_required', 'Nobody is let in without being asked')
  return code_challenge
}

/** @throws OAuthError for another resource than ours; left out, it is ours. */
export const checkResource = (given: string | undefined, resource: string): void => {
  if (given === undefined || isSamePlace(given, resource)) return
  throw new OAuthError('invalid_target', `The resource must be ${resource}`)
}
