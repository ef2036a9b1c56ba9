import { type CallArgs, type Client, createClient } from '../../shared/client.ts'
import type { Endpoint, ResponseOf } from '../../shared/contract/endpoint.ts'
import { chosenTimeZone } from '../texts/tools/region.ts'
import { observedFetch } from './reachability.ts'
import { currentToken, leaveForSignIn, refreshToken, subjectOf } from './token.ts'

const common = { baseUrl: location.origin, timezone: chosenTimeZone }

let orgId: string | undefined

/** Sets the organization to act in (`X-Org-ID`); `undefined` for the user. */
export const actIn = (id: string | undefined): void => {
  orgId = id
}

/** Sends a request, as `fetch` does. */
export type Send = (url: URL, init: RequestInit) => Promise<Response>

const authorized = (init: RequestInit, token: string, org: string | undefined): RequestInit => {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  if (org !== undefined) headers.set('x-org-id', org)
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

/** A stream can be sent once only, so such a request is not repeated. */
const isRepeatable = ({ body }: RequestInit): boolean => !(body instanceof ReadableStream)

/**
 * Sends requests with the access token; a 401 requests a new one and repeats the request once.
 * @param orgOf is read before the token is awaited: the user may switch the workspace meanwhile.
 */
const withSession =
  (send: Send, orgOf: () => string | undefined = () => orgId): Send =>
  async (url, init) => {
    const org = orgOf()
    const response = await send(url, authorized(init, await tokenFrom(currentToken), org))
    if (response.status !== 401 || !isRepeatable(init)) return response
    return send(url, authorized(init, await tokenFrom(refreshToken), org))
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
