import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Cookie, Elysia } from 'elysia'
import {
  type Answer,
  type Endpoint,
  isStream,
  type Stream,
  type StreamedAnswer,
} from '../../../shared/contract/endpoint.ts'
import type { Log } from '../log.ts'
import type { ClientAddress } from './address.ts'
import { MAX_BODY_BYTES, readJson, readText } from './body.ts'
import type { Authenticate, Caller } from './caller.ts'
import { ApiError } from './error.ts'
import { respondWithEvents } from './events.ts'
import { readFile } from './file.ts'
import { checkAdmin, checkVerified, identify } from './guard.ts'
import { innerCaller } from './inner.ts'
import { gone } from './leaving.ts'
import type { Limits } from './limits.ts'
import type { OpenStreams } from './open-streams.ts'
import { respondInLines } from './stream.ts'
import { readUpload, type Upload } from './upload.ts'
import { type Parts, validate } from './validate.ts'

/** What every route needs of its surroundings. */
export interface HttpContext {
  log: Log
  authenticate: Authenticate
  limits: Limits
  streams: OpenStreams
  clientAddress: ClientAddress
  /** The origins that may use cookies: our own and the allow-listed ones. */
  trustedOrigins: ReadonlySet<string>
  cookieDomain: string | undefined
}

/** What a service may want to know of a request beyond its parts. */
export interface Client {
  ip: string
  userAgent: string | null
}

export interface BrowserCookie {
  value: string | undefined
  set(value: string): void
  clear(): void
}

export type RefreshCookie = BrowserCookie

/** A cookie of this host alone: HttpOnly, Secure, SameSite=Lax. */
export type CookieAt = (name: string, path: string, maxAgeSeconds: number) => BrowserCookie

export interface Call<E extends Endpoint> extends Parts<E> {
  caller: E['credential'] extends 'none' | 'cookie' ? undefined : Caller
  client: Client
  refreshCookie: RefreshCookie
  /** Any other cookie of ours. */
  cookie: CookieAt
  /** The request's Origin header: from where a browser sends it. */
  origin: string | null
  /** Whether a browser sends it for a page of another site, where it keeps no cookie of the answer. */
  crossSite: boolean
  /** Reads the file of an endpoint that takes an upload. */
  upload(): Promise<Upload>
  /** The bytes of the file of an endpoint that takes one of any size, as they come. */
  file(): Promise<AsyncIterable<Uint8Array>>
  /** The body as it was sent, where a signature goes by every byte of it. */
  text(): Promise<string>
  header(name: string): string | null
  /** Has a browser keep the answer as a file of this name. */
  saveAs(name: string): void
  /** Aborted when whoever asked has left, or the server ends their stream. */
  signal: AbortSignal
  /** Whether they want the stream that the endpoint may answer instead. */
  wantsStream: boolean
  /** Lets the answer take minutes, where a request is else given up after 30 seconds. */
  takeTime(): void
}

/** Answers the declared body or stream, or a response of its own where that is not JSON. */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<Answer<E> | StreamedAnswer<E> | Response> | Answer<E> | StreamedAnswer<E> | Response

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60

/** Attaches one row of the contract to the app. */
export type Mount = <E extends Endpoint>(
  row: E,
  handle: Handler<E>,
  /** Answered with success where an internal error would else be a 500; the error is logged. */
  inCaseOfError?: Answer<E>,
) => void

/**
 * Serves endpoints as their rows say: limiter, then origin, then credential, then whether the caller is
 * an admin or has verified their email address, then validation, then the handler; the answer keeps only
 * what its schema declares.
 */
export const mounting =
  (app: Elysia, http: HttpContext): Mount =>
  (row, handle, inCaseOfError) => {
    const [status, schema] = row.success
    const always = isStream(schema) ? schema.stream : undefined

    app.route(
      row.method,
      row.path.replace(/\{(\w+)\}/g, ':$1'),
      async ({ request, params, cookie, set, server }) => {
        const stream = always ?? streamWanted(row, request)
        const leaving = createLeaving(request)
        const answered = async () => {
          const client = clientOf(request, http, server)
          if (row.authLimited) await http.limits.auth(client.ip)
          const jar = refreshCookie(cookie.refresh_token as Cookie<unknown>, http)
          const takesToken = stream?.type === 'text/event-stream'
          const token = takesToken ? queryOf(request.url)?.get('token') : undefined
          const caller = await callerOf(row, request, jar, http, token)
          if (row.adminOnly && caller) checkAdmin(caller)
          if (row.requiresVerifiedEmail && caller) checkVerified(caller)
          const body = row.body && (await readJson(request))
          const parts = validate(row, params, queryOf(request.url), body)
          return handle({
            ...parts,
            caller: caller as never,
            client,
            refreshCookie: jar,
            cookie: cookieAt(cookie),
            origin: request.headers.get('origin'),
            crossSite: request.headers.get('sec-fetch-site') === 'cross-site',
            upload: () => readUpload(request, row),
            file: () => readFile(request, row, server),
            text: () => readText(request, MAX_BODY_BYTES),
            header: (name) => request.headers.get(name),
            saveAs: (name) => {
              set.headers['content-disposition'] = `attachment; filename="${name}"`
            },
            get signal() {
              return leaving.signal
            },
            wantsStream: stream !== undefined,
            takeTime: () => server?.timeout(request, 0),
          })
        }
        const answer = await answered().catch((error) => {
          if (leaving.hasLeft && !(error instanceof ApiError)) throw gone()
          if (inCaseOfError === undefined || error instanceof ApiError) throw error
          http.log.error({ request_id: set.headers['x-request-id'], error }, `${row.name} failed`)
          return inCaseOfError
        })
        if (answer instanceof Response) return answer
        set.status = status
        if (stream) {
          // A stream may rest for as long as its source or its reader does.
          server?.timeout(request, 0)
          const failed = (error: unknown) => {
            http.log.error(
              { request_id: set.headers['x-request-id'], error },
              `${row.name} broke off`,
            )
          }
          const { abort } = leaving
          if (stream.type === 'application/x-ndjson')
            return respondInLines(stream, answer as AsyncIterable<unknown>, status, failed)
          return respondWithEvents(answer as AsyncIterable<never>, {
            part: stream.part,
            status,
            streams: http.streams,
            abort,
            failed,
          }).catch((error) => {
            throw leaving.hasLeft && !(error instanceof ApiError) ? gone() : error
          })
        }
        if (schema === null) return new Response(null, { status })
        set.headers['content-type'] = 'application/json'
        return JSON.stringify(Value.Clean(schema as TSchema, answer))
      },
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }

/** The stream that an endpoint may answer, for a request that accepts it. */
const streamWanted = ({ streamed }: Endpoint, request: Request): Stream | undefined =>
  streamed && (request.headers.get('accept') ?? '').toLowerCase().includes(streamed.stream.type)
    ? streamed.stream
    : undefined

/** Tells when whoever asked has left. It costs nothing until somebody wants to know. */
const createLeaving = (request: Request) => {
  let controller: AbortController | undefined
  const opened = () => {
    if (controller) return controller
    const made = new AbortController()
    controller = made
    const leave = () => made.abort(gone())
    if (request.signal.aborted) leave()
    else request.signal.addEventListener('abort', leave, { once: true })
    return made
  }
  return {
    get signal() {
      return opened().signal
    },
    get hasLeft() {
      return controller?.signal.aborted ?? false
    },
    abort: (reason: unknown) => opened().abort(reason),
  }
}

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key']

/** @throws ApiError 401 without a good credential, 403 for a cookie sent from a foreign origin. */
const callerOf = async (
  { credential }: Endpoint,
  request: Request,
  cookie: RefreshCookie,
  http: HttpContext,
  queryToken: string | null | undefined,
): Promise<Caller | undefined> => {
  if (credential === 'none') return undefined
  const known = credential === 'bearer' && innerCaller(request)
  if (known) return known
  const byCookie =
    credential === 'cookie' ||
    credential === 'browser' ||
    (credential === 'session' && !CREDENTIAL_HEADERS.some((name) => request.headers.has(name)))
  if (byCookie) checkOrigin(request, http)
  if (credential === 'cookie') return undefined
  return byCookie
    ? http.authenticate.cookie(cookie.value)
    : identify(request.headers, credential, http.authenticate, queryToken)
}

const queryOf = (url: string): URLSearchParams | undefined => {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start + 1))
}

interface Socket {
  requestIP(request: Request): { address: string } | null
}

/** Looked up only when somebody asks: most requests do not. */
export const clientOf = (request: Request, http: HttpContext, server: Socket | null): Client => ({
  get ip() {
    const address = server?.requestIP(request)?.address ?? ''
    return http.clientAddress(address, request.headers.get('x-forwarded-for'))
  },
  get userAgent() {
    return request.headers.get('user-agent')?.slice(0, 300) ?? null
  },
})

/** A browser says where a request comes from; a page of somebody else may not use our cookie. */
export const checkOrigin = (request: Request, http: Pick<HttpContext, 'trustedOrigins'>): void => {
  const origin = request.headers.get('origin')
  if (origin !== null && !http.trustedOrigins.has(origin))
    throw new ApiError(403, 'Origin not allowed')
}

/** The session cookie of contract 5.1. */
export const refreshCookie = (cookie: Cookie<unknown>, http: HttpContext): RefreshCookie =>
  browserCookie(cookie, {
    path: '/api/auth',
    maxAge: ONE_YEAR_SECONDS,
    ...(http.cookieDomain && { domain: http.cookieDomain }),
  })

export const cookieAt =
  (jar: Record<string, Cookie<unknown>>): CookieAt =>
  (name, path, maxAge) =>
    browserCookie(jar[name] as Cookie<unknown>, { path, maxAge })

const browserCookie = (
  cookie: Cookie<unknown>,
  scope: { path: string; maxAge: number; domain?: string },
): BrowserCookie => {
  const attributes = { httpOnly: true, secure: true, sameSite: 'lax', ...scope } as const
  return {
    value: typeof cookie.value === 'string' ? cookie.value : undefined,
    set: (value) => {
      cookie.set({ ...attributes, value })
    },
    clear: () => {
      cookie.set({ ...attributes, value: '', maxAge: 0 })
    },
  }
}
