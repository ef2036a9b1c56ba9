import type { TSchema } from '@sinclair/typebox'
import type { Context, Cookie, Elysia } from 'elysia'
import { CHANNEL_HEADER, MCP_CHANNEL, MIN_TRUST_HEADER } from '../../../shared/contract/common.ts'
import {
  type Endpoint,
  isStream,
  type ResponseOf,
  type Stream,
  type StreamedResponseOf,
} from '../../../shared/contract/endpoint.ts'
import { lowestTrust, TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { type RequestScope, runRequest, runStream } from '../request-scope.ts'
import { MAX_BODY_BYTES, readJson, readText } from './body.ts'
import { type Caller, internalCaller } from './caller.ts'
import { clean } from './clean.ts'
import { compressed } from './compression.ts'
import { checkOrigin, clientOf, type HttpContext, type RequestClient } from './context.ts'
import { type CookieAt, cookieAt, type RefreshCookie, refreshCookie } from './cookies.ts'
import { clientDisconnected, type Disconnect, watchDisconnect } from './disconnect.ts'
import { ApiError } from './error.ts'
import {
  checkAdmin,
  checkPolicies,
  checkScope,
  checkVerified,
  checkWorkspace,
  identify,
  type RequestOrigin,
} from './guard.ts'
import { authLimit } from './limits.ts'
import { respondInLines, respondWithEvents } from './streams.ts'
import { readFile, readUpload, type Upload } from './upload.ts'
import { queryOf } from './url.ts'
import { type RequestParts, validate } from './validate.ts'

interface Call<E extends Endpoint> extends RequestParts<E> {
  caller: E['credential'] extends 'none' | 'cookie' ? undefined : Caller
  client: RequestClient
  /** Undefined where an API key is accepted: such an endpoint reads and sets no cookie. */
  refreshCookie: E['credential'] extends 'bearer' ? undefined : RefreshCookie
  /** Any other cookie of the server. */
  cookie: CookieAt
  /** The request's Origin header. */
  origin: string | null
  /** Whether a page of another site sent the request. The browser then stores no cookie of the response. */
  crossSite: boolean
  /** Reads the file of an endpoint that declares `upload`. */
  upload(): Promise<Upload>
  /** Streams the file of an endpoint that declares `file`; its size has no limit. */
  file(): Promise<AsyncIterable<Uint8Array>>
  /** The unparsed body, for verifying a signature. */
  text(): Promise<string>
  header(name: string): string | null
  /** Makes browsers save the response as a file with this name. */
  saveAs(name: string): void
  /** Aborted when the client disconnects or the server ends the stream. */
  signal: AbortSignal
  /** Whether the client accepts the endpoint's stream instead of JSON. */
  wantsStream: boolean
  /**
   * Checks the credential once more, for a stream that goes on.
   * @throws ApiError 401 or 403 as at its start, and 403 if a request would act in another workspace now.
   */
  revalidate(): Promise<void>
  /** Removes the idle timeout of 30 seconds for this request. */
  disableIdleTimeout(): void
}

/** Returns the declared body or stream, or a `Response` if that is not JSON. */
type Handler<E extends Endpoint> = (
  call: Call<E>,
) =>
  | Promise<ResponseOf<E> | StreamedResponseOf<E> | Response>
  | ResponseOf<E>
  | StreamedResponseOf<E>
  | Response

/** Attaches one endpoint of the contract to the app. */
export type Mount = <E extends Endpoint>(
  row: E,
  handle: Handler<E>,
  /** Returned with the success status instead of a 500; the internal error is logged. */
  fallback?: ResponseOf<E>,
) => void

/**
 * Serves endpoints as middleware would, in this order: admission, rate limit, origin, credential, admin rights, verified email address,
 * validation, handler. Fields that the response schema does not declare are removed.
 */
export const mounting =
  (app: Elysia, http: HttpContext): Mount =>
  (row, handle, fallback) => {
    const [status, schema] = row.success
    const requiredStream = isStream(schema) ? schema.stream : undefined

    const respond = (context: Received, cookies: Record<string, Cookie<unknown>>) => {
      const stream = requiredStream ?? streamWanted(row, context.request)
      const queue = stream && row.queue !== 'none' ? 'slow' : row.queue
      return http.admission.run(queue, context.request, (place) =>
        answer(context, { cookies, stream, place }),
      )
    }
    const answer = async (
      context: Received,
      { place, ...more }: Pick<Incoming, 'cookies' | 'stream'> & Pick<RequestScope, 'place'>,
    ) => {
      const { stream } = more
      const { request, set } = context
      const disconnect = watchDisconnect(request)
      const scope: RequestScope = { client: disconnect, isRead: onlyReads(row), place }
      const incoming: Incoming = { ...context, ...more, disconnect, scope }
      const result = await runRequest(scope, async () =>
        handle(await prepareCall(row, incoming, http)),
      ).catch((error) => {
        if (disconnect.hasHappened && !(error instanceof ApiError)) throw clientDisconnected()
        if (fallback === undefined || error instanceof ApiError) throw error
        http.log.error({ request_id: set.headers['x-request-id'], error }, `${row.name} failed`)
        return fallback
      })
      if (result instanceof Response) return result
      set.status = status
      if (stream)
        return respondInStream(row, result as AsyncIterable<never>, { ...incoming, stream }, http)
      if (schema === null) return new Response(null, { status })
      set.headers['content-type'] = 'application/json'
      const json = JSON.stringify(clean(schema as TSchema, result))
      if (!onlyReads(row)) return json
      // Not where a secret may stand beside a text of an attacker, who could guess it by the length (BREACH).
      const small = await compressed(json, request.headers.get('accept-encoding'))
      if (!small) return json
      set.headers['content-encoding'] = small.coding
      set.headers.vary = [set.headers.vary, 'accept-encoding'].filter(Boolean).join(', ')
      return new Response(small.body, { status })
    }
    // Elysia reads the source of a handler, and parses the cookies of a request where it names them.
    app.route(
      row.method,
      routedPath(row.path),
      row.credential === 'bearer'
        ? async ({ request, params, set, server }) => respond({ request, params, set, server }, {})
        : async ({ request, params, set, server, cookie }) =>
            respond({ request, params, set, server }, cookie),
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }

/** A request, as the app gives it to a route. */
type Received = Pick<Context, 'request' | 'params' | 'set' | 'server'>

/** A request, as a route gets it. */
interface Incoming extends Received {
  /** Empty where an API key is accepted. */
  cookies: Record<string, Cookie<unknown>>
  /** Undefined for a response that is no stream. */
  stream: Stream | undefined
  disconnect: Disconnect
  scope: RequestScope
}

/** Checks what the row requires of a request and its caller. @returns the arguments of the handler. */
const prepareCall = async <E extends Endpoint>(
  row: E,
  { request, params, set, server, cookies, stream, disconnect, scope }: Incoming,
  http: HttpContext,
): Promise<Call<E>> => {
  const client = clientOf(request, http, server)
  if (row.authLimited) await http.limiter.consume(authLimit, client.ip)
  const jar = cookies.refresh_token && refreshCookie(cookies.refresh_token, http)
  const takesToken = stream?.type === 'text/event-stream'
  const queryToken = takesToken ? queryOf(request.url)?.get('token') : undefined
  const findCaller = async () => {
    const caller = await callerOf(row, request, { cookie: jar, queryToken, client }, http)
    if (!caller) return undefined
    checkScope(caller, row)
    await checkPolicies(caller, row, params, http.authenticate)
    return caller
  }
  const identified = await findCaller()
  const caller = identified && inChannel(identified, request)
  if (caller) scope.account = caller.userId
  if (row.adminOnly && caller) checkAdmin(caller)
  if (row.requiresVerifiedEmail && caller) checkVerified(caller)
  const body = row.body && (await readJson(request, http.bodyPace))
  const parts = await validate(row, params, queryOf(request.url), body)
  return {
    ...parts,
    caller: caller as Call<E>['caller'],
    client,
    refreshCookie: jar as Call<E>['refreshCookie'],
    cookie: cookieAt((name) => cookies[name] as Cookie<unknown>, http),
    origin: request.headers.get('origin'),
    crossSite: request.headers.get('sec-fetch-site') === 'cross-site',
    upload: () => readUpload(request, row, http.bodyPace),
    file: () => readFile(request, row, http.bodyPace, server),
    text: () => readText(request, MAX_BODY_BYTES, http.bodyPace),
    header: (name) => request.headers.get(name),
    saveAs: (name) => {
      set.headers['content-disposition'] = `attachment; filename="${name}"`
    },
    get signal() {
      return disconnect.signal
    },
    wantsStream: stream !== undefined,
    async revalidate() {
      checkWorkspace(caller, await findCaller())
    },
    disableIdleTimeout: () => server?.timeout(request, 0),
  }
}

/** Responds with the parts of a stream, which are produced for the request. */
const respondInStream = async (
  row: Endpoint,
  parts: AsyncIterable<never>,
  { request, set, server, stream, disconnect, scope }: Incoming & { stream: Stream },
  http: HttpContext,
): Promise<Response> => {
  const [status] = row.success
  // A stream may be idle for any time.
  server?.timeout(request, 0)
  const onError = (error: unknown) => {
    http.log.error({ request_id: set.headers['x-request-id'], error }, `${row.name} stream failed`)
  }
  const produced = runStream(scope, parts)
  if (stream.type === 'application/x-ndjson')
    return respondInLines(stream, produced, status, onError)
  const { abort } = disconnect
  const settings = { part: stream.part, status, streams: http.streams, abort, onError }
  return respondWithEvents(produced, settings).catch((error) => {
    throw disconnect.hasHappened && !(error instanceof ApiError) ? clientDisconnected() : error
  })
}

/** Not those that a browser follows during a sign-in: they write, too. */
const onlyReads = ({ method, credential }: Endpoint): boolean =>
  method === 'GET' && (credential === 'bearer' || credential === 'jwt')

/** Returns the stream of an endpoint if the request accepts it. */
const streamWanted = ({ streamed }: Endpoint, request: Request): Stream | undefined =>
  streamed && (request.headers.get('accept') ?? '').toLowerCase().includes(streamed.stream.type)
    ? streamed.stream
    : undefined

/** Text from a tool call of an assistant is not the user's. The header can only lower the trust. */
const inChannel = (caller: Caller, { headers }: Request): Caller => {
  const minTrust = TRUST_LEVELS.find((level) => level === headers.get(MIN_TRUST_HEADER))
  const isToolCall = headers.get(CHANNEL_HEADER) === MCP_CHANNEL
  if (!isToolCall && !minTrust) return caller
  return {
    ...caller,
    ...(isToolCall && { trust: lowestTrust('assistant', caller.trust ?? 'user') }),
    ...(minTrust && { minTrust }),
  }
}

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key']

/** @throws ApiError 401 without a valid credential, 403 for a cookie from an untrusted origin. */
const callerOf = async (
  { credential }: Endpoint,
  request: Request,
  { cookie, ...from }: RequestOrigin & { cookie: RefreshCookie | undefined },
  http: HttpContext,
): Promise<Caller | undefined> => {
  if (credential === 'none') return undefined
  const caller = credential === 'bearer' && internalCaller(request)
  if (caller) return caller
  const byCookie =
    credential === 'cookie' ||
    credential === 'browser' ||
    (credential === 'session' && !CREDENTIAL_HEADERS.some((name) => request.headers.has(name)))
  if (byCookie) checkOrigin(request, http)
  if (credential === 'cookie') return undefined
  return byCookie
    ? http.authenticate.cookie(cookie?.value)
    : identify(request.headers, credential, http.authenticate, from)
}

/** The path of a row in the form of the router. */
export const routedPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
