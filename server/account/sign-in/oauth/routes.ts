import {
  authorizeOAuth,
  connectOAuth,
  disconnectOAuth,
  listConnections,
  listOAuthProviders,
  oauthCallback,
} from '../../../../shared/contract/index.ts'
import type { OAuthProvider } from '../../../../shared/contract/oauth-sign-in.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { ConnectionService } from './connections.ts'
import { readBrowserId, setBrowserId } from './cookie.ts'
import type { OAuthSignInService } from './service.ts'

export const oauthSignInRoutes = (
  mount: Mount,
  oauth: OAuthSignInService,
  connections: ConnectionService,
  providers: { name: OAuthProvider; label: string }[],
): void => {
  mount(listOAuthProviders, () => ({ providers }))
  mount(authorizeOAuth, ({ params, query, cookie, crossSite }) => {
    const { frontend_origin: origin } = query
    const returnTo = origin === undefined ? {} : { origin }
    return crossSite
      ? oauth.beginCrossSite(params.provider, returnTo)
      : oauth.begin(params.provider, returnTo, setBrowserId(cookie))
  })
  mount(oauthCallback, async ({ params, query, cookie, client, refreshCookie }) => {
    const browser = { id: readBrowserId(cookie), refreshToken: refreshCookie.value }
    const { location, refreshToken } = await oauth.finish(params.provider, query, browser, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return new Response(null, { status: 302, headers: { location, ...SECRET_IN_URL } })
  })
  mount(connectOAuth, ({ caller, params, cookie }) =>
    oauth.begin(params.provider, { connectTo: caller.userId }, setBrowserId(cookie)),
  )
  mount(listConnections, ({ caller }) => connections.list(caller))
  mount(disconnectOAuth, async ({ caller, params, client }) => {
    await connections.disconnect(caller, params.provider, client)
    return { message: 'Provider disconnected' }
  })
}

/** The URL of the callback contains a code, and the target of the redirect an access token. */
const SECRET_IN_URL = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }
