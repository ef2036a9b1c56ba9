import { randomUUID } from 'node:crypto'
import {
  authorizeOAuth,
  connectOAuth,
  disconnectOAuth,
  listConnections,
  listOAuthProviders,
  oauthCallback,
} from '../../../../shared/contract/index.ts'
import type { OAuthAuthorize } from '../../../../shared/contract/oauth-sign-in.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { Log } from '../../../platform/log.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import type { AuthenticationService } from '../../access/sessions/authentication.ts'
import { consoleUrl, failureUrl, type SignInWithAccount, successUrl } from './account-sign-in.ts'
import type { ConnectionService } from './connections.ts'
import { OAuthFailure, oauthSignInError, providerRejection } from './errors.ts'
import type { ConfiguredProvider, Providers } from './providers/index.ts'
import type { Attempt, ProviderAccount } from './providers/provider.ts'
import {
  type OAuthState,
  type OAuthStates,
  type ReturnTo,
  readBrowserId,
  STATE_SECONDS,
  setBrowserId,
} from './state.ts'
import { consumeState } from './store.ts'

interface OAuthSignInDeps {
  database: Database
  signInWithAccount: SignInWithAccount
  connections: Pick<ConnectionService, 'connect'>
  authentication: Pick<AuthenticationService, 'callerOfCookie'>
  /** The current providers of the configuration. */
  providers: () => Providers
  states: OAuthStates
  baseUrl: string
  frontendOrigins: readonly string[]
  log: Log
}

/** The browser that a callback comes from, and its cookies. */
interface CallbackBrowser {
  id: string | undefined
  refreshToken: string | undefined
  /** Whether a person sees the answer, as after the redirect of a provider. */
  opensPage: boolean
}

/** The account at a provider that is connected to the account of a signed-in user. */
interface Connection {
  connectTo: string
  provider: string
  account: ProviderAccount
}

/** The query of the provider's redirect. */
interface Callback {
  code?: string
  state?: string
  error?: string
  iss?: string
}

/** The target of the redirect, and the refresh cookie to set. */
interface CallbackResult {
  location: string
  refreshToken?: string | undefined
}

/** Signs users in through OAuth providers, and connects providers to the accounts of signed-in users. */
export type OAuthSignInService = ReturnType<typeof createOAuthSignInService>

export const createOAuthSignInService = (deps: OAuthSignInDeps) => {
  const { signInWithAccount, connections, authentication } = deps
  const { providers, states, baseUrl, frontendOrigins, log } = deps
  const { db } = deps.database
  const ownOrigin = new URL(baseUrl).origin

  const findProvider = (name: string): ConfiguredProvider => {
    const found = providers().get(name)
    if (!found) throw oauthSignInError('oauth_provider_unknown')
    return found
  }

  const isAllowed = ({ origin }: ReturnTo) =>
    origin === undefined || origin === ownOrigin || frontendOrigins.includes(origin)

  /** The session may have ended since the state was created, because its owner revoked it. */
  const connect = async (
    { connectTo: userId, provider, account }: Connection,
    { refreshToken }: CallbackBrowser,
    client: RequestClient,
  ): Promise<void> => {
    const caller = await authentication.callerOfCookie(refreshToken)
    if (caller?.userId !== userId) throw new OAuthFailure('session_ended')
    await connections.connect(userId, provider, account, client)
  }

  return {
    /**
     * @param browserId the value of the cookie that ties the callback to the browser.
     * @throws ApiError 400 for an unknown provider or a disallowed origin, 503 for an unreachable provider.
     */
    async begin(name: string, returnTo: ReturnTo, browserId: string): Promise<OAuthAuthorize> {
      const { provider } = findProvider(name)
      if (!isAllowed(returnTo)) throw oauthSignInError('oauth_origin_not_allowed')
      const state = newState(name, returnTo, browserId)
      const attempt = createAttempt(baseUrl, state, await states.seal(state))
      const authorize_url = await provider.authorizeUrl(attempt).catch((cause) => {
        throw oauthSignInError('oauth_provider_unreachable', cause)
      })
      return { authorize_url, redirect_uri: attempt.redirectUri }
    },

    /**
     * Begins a sign-in from a page of another site. The response to its request cannot set a cookie, so
     * the browser goes through a page of this server first.
     * @throws ApiError 400 as `begin` does.
     */
    beginCrossSite(name: string, returnTo: ReturnTo): OAuthAuthorize {
      findProvider(name)
      if (!isAllowed(returnTo)) throw oauthSignInError('oauth_origin_not_allowed')
      return crossSiteUrls(baseUrl, name, returnTo)
    },

    /**
     * Finishes a sign-in, with a session or with an error in the URL of the redirect.
     * @throws ApiError 400 for an unknown provider or an invalid state, where no person would see a page.
     */
    async finish(
      name: string,
      callback: Callback,
      browser: CallbackBrowser,
      client: RequestClient,
    ): Promise<CallbackResult> {
      const found = providers().get(name)
      const sealed = callback.state ?? ''
      const opened = found && (await states.open(sealed))
      if (opened?.state.provider !== found?.name || !opened || !isAllowed(opened.state)) {
        if (!browser.opensPage)
          throw oauthSignInError(found ? 'oauth_state_invalid' : 'oauth_provider_unknown')
        const isDenied = callback.error === 'access_denied'
        return { location: failureUrl(baseUrl, {}, isDenied ? 'access_denied' : 'invalid_state') }
      }
      const { name: providerName, provider } = found
      const { state, expired } = opened
      try {
        if (expired || !browser.id || hashSecret(browser.id) !== state.browserHash)
          throw new OAuthFailure('invalid_state')
        await consume(db, state)
        const account = await fetchAccount(
          provider,
          createAttempt(baseUrl, state, sealed),
          callback,
        )
        if (state.connectTo !== undefined) {
          const { connectTo } = state
          await connect({ connectTo, provider: providerName, account }, browser, client)
          return { location: consoleUrl(baseUrl, { connected: providerName }) }
        }
        const signIn = await signInWithAccount(found, account, client)
        return { location: successUrl(baseUrl, state, signIn), refreshToken: signIn.refreshToken }
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error
        const { code, cause } = error
        log.warn({ provider: providerName, reason: code, cause }, 'OAuth sign-in failed')
        return { location: failureUrl(baseUrl, state, code) }
      }
    },
  }
}

const newState = (provider: string, returnTo: ReturnTo, browserId: string): OAuthState => ({
  id: randomUUID(),
  provider,
  verifier: createSecret(),
  browserHash: hashSecret(browserId),
  ...returnTo,
})

/** The page of this server that begins a sign-in, and its callback. */
const crossSiteUrls = (baseUrl: string, name: string, { origin }: ReturnTo): OAuthAuthorize => {
  const path = `${baseUrl}/api/auth/oauth/${name}`
  const query = new URLSearchParams({ ...(origin && { frontend_origin: origin }) })
  return { authorize_url: `${path}/start?${query}`, redirect_uri: `${path}/callback` }
}

const createAttempt = (baseUrl: string, state: OAuthState, sealed: string): Attempt => ({
  redirectUri: new URL(`${baseUrl}/api/auth/oauth/${state.provider}/callback`).href,
  state: sealed,
  nonce: state.id,
  verifier: state.verifier,
})

/** A state works once, whatever the result of its sign-in. */
const consume = async (db: Db, { id }: OAuthState): Promise<void> => {
  if (!(await consumeState(db, id, new Date(Date.now() + STATE_SECONDS * 1000))))
    throw new OAuthFailure('invalid_state')
}

/** Exchanges the code of a callback for the user's account at the provider. */
const fetchAccount = async (
  provider: ConfiguredProvider['provider'],
  attempt: Attempt,
  { code, error, iss }: Callback,
): Promise<ProviderAccount> => {
  if (error === 'access_denied') throw new OAuthFailure('access_denied')
  if (error || !code) throw new OAuthFailure('provider_error', providerRejection(error))
  return provider.account(attempt, { code, iss }).catch((cause) => {
    if (cause instanceof OAuthFailure) throw cause
    throw new OAuthFailure('provider_error', cause)
  })
}

export const oauthSignInRoutes = (
  mount: Mount,
  oauth: OAuthSignInService,
  connections: ConnectionService,
  listProviders: () => { name: string; label: string }[],
): void => {
  mount(listOAuthProviders, () => ({ providers: listProviders() }))
  mount(authorizeOAuth, ({ params, query, cookie, crossSite }) => {
    const { frontend_origin: origin } = query
    const returnTo = origin === undefined ? {} : { origin }
    return crossSite
      ? oauth.beginCrossSite(params.provider, returnTo)
      : oauth.begin(params.provider, returnTo, setBrowserId(cookie))
  })
  mount(oauthCallback, async ({ params, query, cookie, client, refreshCookie, header }) => {
    const browser = {
      id: readBrowserId(cookie),
      refreshToken: refreshCookie.value,
      opensPage: header('accept')?.includes('text/html') ?? false,
    }
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
