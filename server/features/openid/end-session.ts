import {
  type ClientFinder,
  isRegisteredId,
  type OAuthClient,
} from '../../account/access/oauth-server/clients.ts'
import type { IdTokenHint } from '../../account/access/oauth-server/openid.ts'
import type { SessionService } from '../../account/access/sessions/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, defineErrors } from '../../platform/http/error.ts'
import type { IdTokens } from './id-tokens.ts'

const logoutError = defineErrors({
  logout_uri_not_registered: {
    status: 400,
    detail: 'post_logout_redirect_uri is not registered for this client',
  },
  logout_client_differs: { status: 400, detail: 'client_id is not the client of id_token_hint' },
})

const NAMES = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

/** The parameters of a logout request, as the form passes them on. */
export type LogoutFields = Record<string, string>

export const logoutFields = (params: URLSearchParams): LogoutFields => {
  const fields: LogoutFields = {}
  for (const name of NAMES) {
    const value = params.get(name)
    if (value !== null) fields[name] = value
  }
  return fields
}

/** A logout request of an app. */
export interface LogoutRequest {
  /** Where the browser goes then; undefined for a page of svc. */
  returnUrl: string | undefined
  /** The name of the app; undefined for an unknown one. */
  appName: string | undefined
  /** The app has an ID token of the user's session, so that the user is not asked. */
  isProven: boolean
}

interface LogoutDeps {
  database: Database
  sessions: Pick<SessionService, 'end'>
  idTokens: Pick<IdTokens, 'readHint'>
  clients: ClientFinder
}

/** Signs users out for apps (OpenID Connect RP-Initiated Logout 1.0). */
export type LogoutService = ReturnType<typeof createLogoutService>

export const createLogoutService = ({
  database: { db },
  sessions,
  idTokens,
  clients,
}: LogoutDeps) => ({
  /** @throws ApiError 400 for a redirect URI that is not registered for the client. */
  async read(fields: LogoutFields, caller: Caller | undefined): Promise<LogoutRequest> {
    const { id_token_hint, client_id, post_logout_redirect_uri: redirectUri, state } = fields
    const hint = id_token_hint === undefined ? undefined : await idTokens.readHint(id_token_hint)
    if (hint && client_id !== undefined && client_id !== hint.clientId)
      throw logoutError('logout_client_differs')
    const clientId = hint?.clientId ?? client_id ?? ''
    const client = await findApp(clients, clientId, hint)
    if (redirectUri !== undefined && !client?.postLogoutRedirectUris.includes(redirectUri))
      throw logoutError('logout_uri_not_registered')
    return {
      returnUrl: redirectUri === undefined ? undefined : withState(redirectUri, state),
      appName: client?.name,
      isProven: hint !== undefined && (!caller || isOf(hint, caller)),
    }
  },

  /** Ends the session of the caller. */
  async signOut({ sessionId }: Caller): Promise<void> {
    if (sessionId) await sessions.end(db, sessionId)
  },
})

/** A metadata document is fetched only for a user whom the client has signed in. */
const findApp = async (
  clients: ClientFinder,
  clientId: string,
  hint: IdTokenHint | undefined,
): Promise<OAuthClient | undefined> => {
  if (!hint && !isRegisteredId(clientId)) return undefined
  try {
    return await clients.find(clientId, hint?.userId ?? '')
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined
    throw error
  }
}

/** Whether the ID token is of the caller's session, not of another one of the user. */
const isOf = ({ userId, signInId }: IdTokenHint, caller: Caller): boolean =>
  userId === caller.userId && signInId === caller.sessionId

const withState = (redirectUri: string, state: string | undefined): string => {
  const url = new URL(redirectUri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
