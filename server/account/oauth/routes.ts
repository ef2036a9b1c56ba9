import {
  authorizeOAuth,
  disconnectOAuth,
  listConnections,
  oauthCallback,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import { browserName, nameBrowser } from './cookie.ts'
import type { OAuthService } from './service.ts'

export const oauthRoutes = (mount: Mount, oauth: OAuthService): void => {
  mount(authorizeOAuth, ({ params, query, cookie, crossSite }) => {
    const { frontend_origin: origin } = query
    const returnTo = origin === undefined ? {} : { origin }
    return crossSite
      ? oauth.detour(params.provider, returnTo)
      : oauth.begin(params.provider, returnTo, nameBrowser(cookie))
  })
  mount(oauthCallback, async ({ params, query, cookie, client, refreshCookie }) => {
    const browser = browserName(cookie)
    const { location, refreshToken } = await oauth.finish(params.provider, query, browser, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return new Response(null, { status: 302, headers: { location, ...SECRET_IN_URL } })
  })
  mount(listConnections, ({ caller }) => oauth.connections(caller))
  mount(disconnectOAuth, async ({ caller, params, client }) => {
    await oauth.disconnect(caller, params.provider, client)
    return { message: 'Provider disconnected' }
  })
}

/** The address that the browser is sent to carries a token, and the one it comes from a code. */
const SECRET_IN_URL = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }
