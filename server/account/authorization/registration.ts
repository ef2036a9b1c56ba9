import { Value } from '@sinclair/typebox/value'
import { ClientMetadata } from '../../../shared/schemas/programs.ts'
import { OAuthError } from './failure.ts'
import { isRedirectUri } from './redirects.ts'

/** Of all redirect URIs together. */
const MAX_REDIRECT_CHARS = 8_000
const MAX_NAME = 100

export interface Described {
  name: string
  uri: string | null
  redirectUris: string[]
  authMethod: string | undefined
}

/** @throws OAuthError for metadata that no client of ours can have. */
export const readMetadata = (given: unknown): Described => {
  if (!Value.Check(ClientMetadata, given)) throw misdescribed(given)
  const { redirect_uris, grant_types, response_types } = given
  if (redirect_uris.join('').length > MAX_REDIRECT_CHARS)
    throw new OAuthError('invalid_client_metadata', 'redirect_uris are too long')
  const bad = redirect_uris.find((uri) => !isRedirectUri(uri))
  if (bad !== undefined)
    throw new OAuthError(
      'invalid_redirect_uri',
      'A redirect URI must be https, http on a loopback address, or of a scheme of its own, without a fragment',
    )
  if (grant_types && !grant_types.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must have authorization_code')
  if (response_types && !response_types.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must have code')
  return {
    name: nameOf(given),
    uri: webAddress(given.client_uri),
    redirectUris: redirect_uris,
    authMethod: given.token_endpoint_auth_method,
  }
}

const misdescribed = (given: unknown): OAuthError => {
  const first = Value.Errors(ClientMetadata, given).First()
  const field = first?.path.slice(1) || 'The metadata'
  return new OAuthError('invalid_client_metadata', `${field}: ${first?.message ?? 'not valid'}`)
}

/** A name is shown to people: in one line, without what changes how the rest of the page reads. */
const nameOf = ({ client_name, redirect_uris: [first = ''] }: ClientMetadata): string => {
  const words = (client_name ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const name = [...words].slice(0, MAX_NAME).join('')
  return name || (URL.parse(first)?.hostname ?? '') || 'A program'
}

const webAddress = (text: string | undefined): string | null => {
  const url = text === undefined ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}
