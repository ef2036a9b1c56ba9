import { randomBytes, randomUUID } from 'node:crypto'
import type {
  OAuthAuthorize,
  OAuthConnection,
  OAuthProvider,
} from '../../../shared/schemas/oauth.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import type { Log } from '../../platform/log.ts'
import { recordAudit } from '../audit/store.ts'
import { hashSecret } from '../keys/token.ts'
import type { SessionService } from '../sessions/service.ts'
import { type Admitted, admission } from './admission.ts'
import { type FailureCode, OAuthFailure, refusal } from './failure.ts'
import type { Providers } from './providers/index.ts'
import type { Attempt, ProviderAccount } from './providers/provider.ts'
import { type OAuthState, type OAuthStates, STATE_SECONDS } from './state.ts'
import {
  deleteConnections,
  deleteOldStates,
  listConnections,
  lockWaysIn,
  takeState,
} from './store.ts'

export interface OAuthSurroundings {
  database: Database
  sessions: SessionService
  providers: Providers
  states: OAuthStates
  baseUrl: string
  frontendOrigins: readonly string[]
  log: Log
}

/** Where the browser goes in the end: an app, a device login, or a page of our own. */
export type ReturnTo = Pick<OAuthState, 'origin' | 'userCode'>

/** What comes back from a provider. */
export interface Callback {
  code?: string
  state?: string
  error?: string
  iss?: string
}

/** Where to send the browser, and the cookie to give it. */
export interface Landed {
  location: string
  refreshToken?: string | undefined
}

export type OAuthService = ReturnType<typeof createOAuthService>

/** Signing in through a provider (contract 4.4). */
export const createOAuthService = (surroundings: OAuthSurroundings) => {
  const { sessions, providers, states, baseUrl, frontendOrigins, log } = surroundings
  const { db } = surroundings.database
  const own = new URL(baseUrl).origin
  const admit = admission(db, sessions)

  const find = (name: string) => {
    const found = providers.get(name)
    if (!found) throw new ApiError(400, 'Unknown provider, or not configured')
    return found
  }

  const mayReturn = ({ origin }: ReturnTo) =>
    origin === undefined || origin === own || frontendOrigins.includes(origin)

  const attemptOf = (state: OAuthState, sealed: string): Attempt => ({
    redirectUri: new URL(`${baseUrl}/api/auth/oauth/${state.provider}/callback`).href,
    state: sealed,
    nonce: state.id,
    verifier: state.verifier,
  })

  const landing = ({ origin = baseUrl }: ReturnTo, answer: Record<string, string>) =>
    `${origin}/auth/callback?${new URLSearchParams(answer)}`

  /** Sets out for a provider. `browser` is the value of the cookie that ties the return to it. */
  const begin = async (
    name: string,
    returnTo: ReturnTo,
    browser: string,
  ): Promise<OAuthAuthorize> => {
    const { provider } = find(name)
    if (!mayReturn(returnTo)) throw new ApiError(400, 'Origin not allowed')
    const state = {
      id: randomUUID(),
      provider: name,
      verifier: randomBytes(32).toString('base64url'),
      browserHash: hashSecret(browser),
      ...returnTo,
    }
    const attempt = attemptOf(state, await states.seal(state))
    const authorize_url = await provider.authorizeUrl(attempt).catch((cause) => {
      throw new ApiError(503, 'The provider cannot be reached', { cause })
    })
    return { authorize_url, redirect_uri: attempt.redirectUri }
  }

  return {
    /** The providers that somebody can sign in with. */
    available: [...providers.values()].map(({ name }) => name),

    begin,

    /**
     * Where a page of another site sends the browser: its request may leave no cookie here, so the
     * browser sets out from our own address instead.
     * @throws ApiError as `begin` does.
     */
    detour(name: string, returnTo: ReturnTo): OAuthAuthorize {
      find(name)
      if (!mayReturn(returnTo)) throw new ApiError(400, 'Origin not allowed')
      const path = `${baseUrl}/api/auth/oauth/${name}`
      const query = new URLSearchParams({
        ...(returnTo.origin && { frontend_origin: returnTo.origin }),
      })
      return { authorize_url: `${path}/start?${query}`, redirect_uri: `${path}/callback` }
    },

    /**
     * Ends a sign-in, well or not.
     * @throws ApiError 400 for an unknown provider, and for a state that is not ours: it names
     * nowhere to return to.
     */
    async finish(
      name: string,
      callback: Callback,
      browser: string | undefined,
      client: Client,
    ): Promise<Landed> {
      const { name: provider } = find(name)
      const sealed = callback.state ?? ''
      const opened = await states.open(sealed)
      if (opened?.state.provider !== provider || !mayReturn(opened.state))
        throw new ApiError(400, 'Invalid state')
      const { state, expired } = opened
      try {
        if (expired || !browser || hashSecret(browser) !== state.browserHash)
          throw new OAuthFailure('invalid_state')
        await use(state)
        const account = await ask(provider, attemptOf(state, sealed), callback)
        return land(state, await admit(provider, account, client))
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error
        log.warn({ provider, reason: error.code, cause: error.cause }, 'OAuth sign-in failed')
        return { location: landing(state, failed(error.code, state)) }
      }
    },

    async connections({ userId }: Caller): Promise<OAuthConnection[]> {
      const rows = await listConnections(db, userId)
      return rows.map(({ provider, email, createdAt }) => ({
        provider,
        email,
        connected_at: createdAt.toISOString(),
      }))
    },

    /** Forgets every provider of a person. */
    forgetAll: (tx: Db, userId: string): Promise<void> => deleteConnections(tx, userId),

    /** @throws ApiError 404 for a provider that is not connected, 400 when it is the last way in. */
    disconnect({ userId }: Caller, name: string, client: Client): Promise<void> {
      return db.transaction(async (tx) => {
        const hasPassword = await lockWaysIn(tx, userId)
        const connections = await listConnections(tx, userId)
        const provider = connections.find((row) => row.provider === name)?.provider
        if (!provider) throw new ApiError(404, 'Provider not connected')
        if (!hasPassword && connections.every((row) => row.provider === provider))
          throw new ApiError(400, 'This is the only way to sign in; set a password first')
        await deleteConnections(tx, userId, provider)
        const details = { provider }
        await recordAudit(tx, { userId, action: 'provider.disconnected', ip: client.ip, details })
      })
    },
  }

  /** A state opens the way once, whatever comes of it. */
  async function use({ id }: OAuthState): Promise<void> {
    await deleteOldStates(db)
    if (!(await takeState(db, id, new Date(Date.now() + STATE_SECONDS * 1000))))
      throw new OAuthFailure('invalid_state')
  }

  /** Exchanges what came back for who the person is. */
  async function ask(
    name: OAuthProvider,
    attempt: Attempt,
    { code, error, iss }: Callback,
  ): Promise<ProviderAccount> {
    if (error === 'access_denied') throw new OAuthFailure('access_denied')
    if (error || !code) throw new OAuthFailure('provider_error', refusal(error))
    return find(name)
      .provider.account(attempt, { code, iss })
      .catch((cause) => {
        throw new OAuthFailure('provider_error', cause)
      })
  }

  function land(state: OAuthState, { isNew, answer, refreshToken }: Admitted): Landed {
    const pending = 'mfa_required' in answer
    if (state.userCode !== undefined) {
      const query = new URLSearchParams({
        ...(state.userCode && { user_code: state.userCode }),
        ...(pending && { partial_token: answer.partial_token }),
      })
      return { location: `${baseUrl}/api/auth/mcp/device?${query}`, refreshToken }
    }
    const told = pending
      ? { mfa_required: '1', partial_token: answer.partial_token }
      : { token: answer.access_token, new: isNew ? '1' : '0' }
    return { location: landing(state, told), refreshToken }
  }
}

const failed = (error: FailureCode, { userCode }: ReturnTo) => ({
  error,
  ...(userCode !== undefined && { user_code: userCode }),
})
