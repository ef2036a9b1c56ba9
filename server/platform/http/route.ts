import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Cookie, Elysia } from 'elysia'
import { type Answer, type Endpoint, isStream } from '../../../shared/contract/endpoint.ts'
import type { Log } from '../log.ts'
import type { ClientAddress } from './address.ts'
import { readJson } from './body.ts'
import type { Authenticate, Caller } from './caller.ts'
import { ApiError } from './error.ts'
import { readFile } from './file.ts'
import { checkVerified, identify } from './guard.ts'
import type { Limits } from './limits.ts'
import { respondInParts } from './stream.ts'
import { readUpload, type Upload } from './upload.ts'
import { type Parts, validate } from './validate.ts'

/** What every route needs of its surroundings. */
export interface HttpContext {
  log: Log
  authenticate: Authenticate
  limits: Limits
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
  /** Has a browser keep the answer as a file of this name. */
  saveAs(name: string): void
}

/** Answers the declared body, or a response of its own where that is not JSON. */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<Answer<E> | Response> | Answer<E> | Response

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60

/** Attaches one row of the contract to the app. */
export type Mount = <E extends Endpoint>(
  row: E,
  handle: Handler<E>,
  /** Answered with success where an internal error would else be a 500; the error is logged. */
  inCaseOfError?: Answer<E>,
) => void

/**
 * Serves endpoints as their rows say: limiter, then origin, then credential, then whether their email
 * address is verified, then validation, then the handler; the answer keeps only what its schema declares.
 */
export const mounting =
  (app: Elysia, http: HttpContext): Mount =>
  (row, handle, inCaseOfError) => {
    const [status, schema] = row.success

    app.route(
      row.method,
      row.path.replace(/\{(\w+)\}/g, ':$1'),
      async ({ request, params, cookie, set, server }) => {
        const answered = async () => {
          const client = clientOf(request, http, server)
          if (row.authLimited) await http.limits.auth(client.ip)
          const jar = refreshCookie(cookie.refresh_token as Cookie<unknown>, http)
          const caller = await callerOf(row, request, jar, http)
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
            saveAs: (name) => {
              set.headers['content-disposition'] = `attachment; filename="${name}"`
            },
          })
        }
        const answer = await answered().catch((error) => {
          if (inCaseOfError === undefined || error instanceof ApiError) throw error
          http.log.error({ request_id: set.headers['x-request-id'], error }, `${row.name} failed`)
          return inCaseOfError
        })
        if (answer instanceof Response) return answer
        set.status = status
        if (schema === null) return new Response(null, { status })
        if (isStream(schema)) {
          // A stream may rest for as long as its source or its reader does.
          server?.timeout(request, 0)
          const failed = (error: unknown) =>
            http.log.error(
              { request_id: set.headers['x-request-id'], error },
              `${row.name} broke off`,
            )
          const parts = answer as AsyncIterable<unknown>
          return respondInParts(schema.stream, parts, status, failed)
        }
        set.headers['content-type'] = 'application/json'
        return JSON.stringify(Value.Clean(schema as TSchema, answer))
      },
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key']

/** @throws ApiError 401 without a good credential, 403 for a cookie sent from a foreign origin. */
const callerOf = async (
  { credential }: Endpoint,
  request: Request,
  cookie: RefreshCookie,
  http: HttpContext,
): Promise<Caller | undefined> => {
  if (credential === 'none') return undefined
  const byCookie =
    credential === 'cookie' ||
    credential === 'browser' ||
    (credential === 'session' && !CREDENTIAL_HEADERS.some((name) => request.headers.has(name)))
  if (byCookie) checkOrigin(request, http)
  if (credential === 'cookie') return undefined
  return byCookie
    ? http.authenticate.cookie(cookie.value)
    : identify(request.headers, credential, http.authenticate)
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
export const checkOrigin = (request: Request, http: HttpContext): void => {
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
