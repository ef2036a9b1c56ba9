import type { Endpoint } from '../../../../shared/contract/endpoint.ts'
import { basePathOf } from '../../../../shared/urls.ts'
import type { RawHandler } from '../../../platform/http/mounts.ts'
import { asOAuthError, type OAuthErrorCode } from './errors.ts'

/** The path of a document, and that with the path of the server inserted (RFC 8414, section 3.1; RFC 9728, 3.1). */
export const pathsOf = (
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  baseUrl: string,
): Pick<Endpoint, 'method' | 'path'>[] => {
  const basePath = basePathOf(baseUrl)
  const inserted = path.replace(/^\/\.well-known\/[^/]+/, `$&${basePath}`)
  return [{ method, path }, ...(basePath ? [{ method, path: inserted }] : [])]
}

/** @param invalid the code of an error without one of its own. */
export const withOAuthErrors =
  (handle: RawHandler, invalid: OAuthErrorCode): RawHandler =>
  async (call) => {
    try {
      return await handle(call)
    } catch (error) {
      return asOAuthError(invalid)(error)
    }
  }

/** A public document. */
export const publicDocument = (body: object): Response =>
  Response.json(body, { headers: { 'cache-control': 'public, max-age=3600' } })

/** A response that no cache keeps. */
export const secretResponse = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
