import { type CallArgs, type Client, createClient } from '../../shared/client.ts'
import { type Send, sendWithToken } from '../../shared/client-session.ts'
import type { Endpoint, ResponseOf } from '../../shared/contract/endpoint.ts'
import { BASE_URL } from '../base.ts'
import { chosenTimeZone } from '../texts/tools/region.ts'
import { observedFetch } from './reachability.ts'
import { currentToken, leaveForSignIn, refreshToken, subjectOf } from './token.ts'

const common = { baseUrl: BASE_URL, timezone: chosenTimeZone }

let orgId: string | undefined

/** Sets the organization to act in (`X-Org-ID`); `undefined` for the user. */
export const actIn = (id: string | undefined): void => {
  orgId = id
}

const inOrganization = (init: RequestInit, org: string | undefined): RequestInit => {
  if (org === undefined) return init
  const headers = new Headers(init.headers)
  headers.set('x-org-id', org)
  return { ...init, headers }
}

const isSessionEnd = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 401

const tokenFrom = (request: () => Promise<string>): Promise<string> =>
  request().catch((error: unknown) => {
    if (isSessionEnd(error)) return leaveForSignIn()
    throw error
  })

/** @returns the id of the signed-in user. */
export const signedInUser = async (): Promise<string | undefined> =>
  subjectOf(await tokenFrom(currentToken))

const tokens = {
  current: () => tokenFrom(currentToken),
  renew: () => tokenFrom(refreshToken),
}

/**
 * Sends requests of the session in a workspace.
 * @param orgOf is read before the token is awaited: the user may switch the workspace meanwhile.
 */
const withSession = (send: Send, orgOf: () => string | undefined = () => orgId): Send => {
  const sendWithSession = sendWithToken(send, tokens)
  return (url, init) => sendWithSession(url, inOrganization(init, orgOf()))
}

export const fetchWithSession: Send = withSession(observedFetch)

/** A client that stays in the current workspace, for work that outlives a switch to another. */
export const createWorkspaceClient = (send: Send): Client => {
  const org = orgId
  return createClient({ ...common, fetch: withSession(send, () => org) })
}

/** The client of every call. If the session has ended, the tab leaves for the sign-in page. */
export const client: Client = createClient({ ...common, fetch: fetchWithSession })

/** Models may need minutes for the first token, and there is no response before it. */
const STREAM_TIMEOUT_MS = 10 * 60_000

const streamClient: Client = createClient({
  ...common,
  fetch: fetchWithSession,
  timeoutMs: STREAM_TIMEOUT_MS,
})

/** Calls an endpoint; `client.call` for code that is generic over endpoints. */
export const callApi = client.call as unknown as <E extends Endpoint>(
  row: E,
  args: Omit<CallArgs<E>, 'signal'> & { signal?: AbortSignal },
) => Promise<ResponseOf<E>>

/** Calls an endpoint that answers with a stream of a model. */
export const callStream = streamClient.call as unknown as typeof callApi
