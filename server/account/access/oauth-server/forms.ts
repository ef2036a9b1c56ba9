import { budgets } from '../../../platform/budgets.ts'
import type { RawCall } from '../../../platform/http/mounts.ts'
import { OAuthError } from './errors.ts'

/** The fields of a token, revocation or introspection request. */
export type TokenForm = Readonly<Record<string, string | undefined>>

/**
 * Reads a form, and the client of Basic authentication. A public client may send its id that way.
 * @throws OAuthError for another content type, and for a repeated field (RFC 6749, section 3.2).
 */
export const readForm = async ({ request, text: read }: RawCall): Promise<TokenForm> => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError(
      'invalid_request',
      'Content-Type must be application/x-www-form-urlencoded',
    )
  const text = await read(budgets.oauthForm.bytes)
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name) && fields[name] !== value)
      throw new OAuthError('invalid_request', `${name} must not be repeated`)
    fields[name] = value
  }
  const basic = basicCredentials(request.headers.get('authorization'))
  if (basic?.client_secret && fields.client_secret)
    throw new OAuthError('invalid_request', 'client_secret must be sent once')
  return { ...basic, ...fields }
}

/** The credentials are form-encoded before they are joined (RFC 6749, section 2.3.1). */
const basicCredentials = (header: string | null): TokenForm | undefined => {
  const [scheme, credentials = ''] = header?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  const [id, secret] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { client_id: decode(id), ...(secret && { client_secret: decode(secret) }) }
  } catch {
    return undefined
  }
}
