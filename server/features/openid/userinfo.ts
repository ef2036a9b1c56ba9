import { userInfo, userInfoByPost } from '../../../shared/contract/index.ts'
import type { UserInfo } from '../../../shared/contract/openid.ts'
import { OAuthError } from '../../account/access/oauth-server/errors.ts'
import type { GrantAuthentication } from '../../account/access/oauth-server/grants.ts'
import { ApiError } from '../../platform/http/error.ts'
import { bearerToken } from '../../platform/http/guard.ts'
import type { MountRaw, RawHandler } from '../../platform/http/mounts.ts'
import { userClaims } from './claims.ts'

/** The claims about the user of an app (OpenID Connect Core 1.0, section 5.3). */
export const userInfoRoutes = (
  mount: MountRaw,
  grants: Pick<GrantAuthentication, 'findApp'>,
  baseUrl: string,
): void => {
  const respond: RawHandler = async ({ request }) =>
    Response.json(await read(request, grants, baseUrl), {
      headers: { 'cache-control': 'no-store' },
    })
  mount(userInfo, respond)
  mount(userInfoByPost, respond)
}

/** @throws OAuthError 401 without a valid token, 403 for one without the scope `openid`. */
const read = async (
  { headers }: Request,
  grants: Pick<GrantAuthentication, 'findApp'>,
  baseUrl: string,
): Promise<UserInfo> => {
  const token = bearerToken(headers.get('authorization'))
  if (token === undefined) throw bearerError(401, 'invalid_request', 'An access token is required')
  const found = await grants.findApp(token).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    throw bearerError(401, 'invalid_token', error.message)
  })
  if (!found?.agreedScopes) throw bearerError(401, 'invalid_token', 'Invalid access token')
  if (!found.agreedScopes.includes('openid'))
    throw bearerError(403, 'insufficient_scope', 'The scope openid is required')
  return userClaims(found, found.agreedScopes, baseUrl)
}

/** RFC 6750, section 3. */
const bearerError = (
  status: 401 | 403,
  code: 'invalid_request' | 'invalid_token' | 'insufficient_scope',
  description: string,
): OAuthError =>
  new OAuthError(code, description, status, {
    'www-authenticate': `Bearer realm="svc", error="${code}", error_description="${description}"`,
  })
