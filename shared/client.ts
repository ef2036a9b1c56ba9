import type { TObject, TSchema } from '@sinclair/typebox'
import { ApiFailure, CutOff, NotSvc, TimedOut, Unreachable } from './client-errors.ts'
import { type Fail, readEvents, readLines } from './client-streams.ts'
import type { Input } from './contract/common.ts'
import type { Endpoint, FileBody, ResponseOf } from './contract/endpoint.ts'
import type { Trust } from './contract/memories.ts'
import { isStream } from './contract/success.ts'
import { CHANNEL_HEADER, type MCP_CHANNEL, MIN_TRUST_HEADER } from './headers.ts'
import { fieldsOf } from './objects.ts'
import { fetchPastProxy, proxyVariable, throughProxy } from './proxies.ts'
import { startTimer } from './timers.ts'
import { machineTimezone } from './timezone.ts'
import { addressOf, urlBelow } from './urls.ts'

export { ApiFailure, CutOff, NotSvc, TimedOut, Unreachable } from './client-errors.ts'

/** An object without required fields. */
type Empty = Record<never, never>

type Part<K extends string, T> = T extends TObject
  ? Empty extends Input<T>
    ? { [P in K]?: Input<T> }
    : { [P in K]: Input<T> }
  : Empty

/** The content of a file, in memory or as a stream. */
export type FileContent = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

type FilePart<F> = F extends FileBody ? { file: FileContent } : Empty

/** The arguments of a call: path parameters, query, and body or file. */
export type CallArgs<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> &
  FilePart<E['file']> & {
    /** The named file, for an endpoint with an upload. */
    upload?: File
    signal?: AbortSignal
  }

export interface ClientOptions {
  /** For example `http://localhost:3000`, or `https://example.com/svc`. */
  baseUrl: string
  /** An API key or an access token. Public endpoints need none. */
  credential?: string | undefined
  /** The value of the refresh cookie. */
  refreshToken?: string | undefined
  /** Called with the value of a new refresh cookie. */
  onRefreshToken?: (token: string) => void | Promise<void>
  /** The organization to act in (`X-Org-ID`). Default: the user's default organization, or none. */
  orgId?: string | undefined
  /** The time zone of the user (`X-Timezone`). Default: that of this machine. */
  timezone?: string | undefined
  /** Called with the headers of every response. */
  onHeaders?: (headers: Headers) => void
  userAgent?: string | undefined
  /** How the requests come about, where it is not the user who writes: a tool call of an assistant. */
  channel?: typeof MCP_CHANNEL
  /** The trust that returned memories have at least. Default: all of them. */
  minTrust?: Trust | undefined
  /** Sends the requests. Default: the global `fetch`, without a proxy on the way to this machine. */
  fetch?: (url: URL, init: RequestInit) => Promise<Response>
  /**
   * Timeout of a call in milliseconds; 0 and `Infinity` are no limit. It does not apply to uploads, and to started
   * streams and downloads.
   */
  timeoutMs?: number
  /**
   * The longest silence of a started stream of events in milliseconds; 0 and `Infinity` are no limit. Default: 60,000.
   * svc sends a comment every 15 seconds, so a longer silence is a server or a connection that is gone.
   */
  silenceMs?: number | undefined
}

export interface Client {
  /**
   * Calls one endpoint of the contract. A stream resolves when it starts; leaving its loop closes it.
   * @throws ApiFailure for a status outside 2xx; Unreachable if there is no complete response.
   */
  call<E extends Endpoint>(
    row: E,
    ...args: Empty extends CallArgs<E> ? [CallArgs<E>?] : [CallArgs<E>]
  ): Promise<ResponseOf<E>>
}

interface CallInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  file?: FileContent
  upload?: File
  signal?: AbortSignal
}

export const createClient = (options: ClientOptions): Client => ({
  async call<E extends Endpoint>(row: E, ...args: [CallArgs<E>?]) {
    const input = (args[0] ?? {}) as CallInput
    const { signal } = input
    const url = buildUrl(row, input, options.baseUrl)
    const proxy = proxyVariable(url)
    const server = `${addressOf(options.baseUrl)}${throughProxy(proxy)}`
    const timeout = new AbortController()
    const failed: Fail = (cause) => {
      signal?.throwIfAborted()
      // Of the request for an access token.
      if (cause instanceof ApiFailure || cause instanceof Unreachable) throw cause
      const Failure = timeout.signal.aborted ? TimedOut : Unreachable
      throw new Failure(`No answer from ${server}`, { cause, proxy })
    }
    const cutOff: Fail = (cause) => {
      if (timeout.signal.aborted) failed(cause)
      signal?.throwIfAborted()
      throw new CutOff(`The response of ${server} was cut off`, { cause, proxy })
    }
    const timer = startTimer(() => timeout.abort(), options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    if (input.file !== undefined || input.upload) clearTimeout(timer)
    try {
      const response = await (options.fetch ?? fetchPastProxy)(url, {
        method: row.method,
        redirect: 'manual',
        headers: buildHeaders(row, options),
        ...buildBody(row, input),
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...NO_RUNTIME_TIMEOUT,
      }).catch(failed)
      options.onHeaders?.(response.headers)
      const refreshToken = readRefreshToken(response)
      if (refreshToken) await options.onRefreshToken?.(refreshToken)

      const [, success] = row.success
      const notSvc = new NotSvc(`The service at ${server} is not svc`, { proxy })
      if (response.ok && isStream(success)) {
        const { type } = success.stream
        if (!response.headers.get('content-type')?.startsWith(type)) throw notSvc
        const silence = {
          afterMs: options.silenceMs ?? DEFAULT_SILENCE_MS,
          abort: () => timeout.abort(),
        }
        const isEvents = type === 'text/event-stream'
        return (
          isEvents ? readEvents(response, cutOff, silence) : readLines(response, cutOff)
        ) as ResponseOf<E>
      }
      if (response.ok && row.download) {
        clearTimeout(timer)
        return (await response.blob().catch(cutOff)) as ResponseOf<E>
      }
      const body = parseJson(await response.text().catch(cutOff))
      if (!response.ok) throw toFailure(row, response, body)
      if (success && !isStream(success) && !couldMatch(success, body)) throw notSvc
      return body as ResponseOf<E>
    } finally {
      clearTimeout(timer)
    }
  },
})

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_SILENCE_MS = 60_000

/** Bun ends a request without a response after five minutes, also while its body is sent. Others ignore it. */
export const NO_RUNTIME_TIMEOUT = { timeout: false }

const buildUrl = (row: Endpoint, { params, query }: CallInput, baseUrl: string): URL => {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name) => segmentOf(name, String(params?.[name])))
  const url = urlBelow(baseUrl, path)
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) url.searchParams.append(name, String(one))
  return url
}

/** An empty or a relative segment would name another endpoint (URL standard, 4.4): that of the list, or of the parent. */
const segmentOf = (name: string, value: string): string => {
  if (['', '.', '..'].includes(value.trim())) throw new TypeError(`${name} must not be "${value}"`)
  return encodeURIComponent(value)
}

const buildHeaders = (row: Endpoint, options: ClientOptions): Record<string, string> => {
  const [, success] = row.success
  const timezone = options.timezone ?? machineTimezone()
  return {
    accept: isStream(success) ? success.stream.type : 'application/json',
    ...(options.userAgent && { 'user-agent': options.userAgent }),
    ...(options.credential && { authorization: `Bearer ${options.credential}` }),
    ...(options.orgId && { 'x-org-id': options.orgId }),
    ...(timezone && { 'x-timezone': timezone }),
    ...(options.channel && { [CHANNEL_HEADER]: options.channel }),
    ...(options.minTrust && { [MIN_TRUST_HEADER]: options.minTrust }),
    ...(options.refreshToken && { cookie: `${REFRESH_COOKIE}=${options.refreshToken}` }),
    ...(row.body && { 'content-type': 'application/json' }),
    ...(row.file && { 'content-type': 'application/octet-stream' }),
  }
}

interface RequestBody extends Pick<RequestInit, 'body'> {
  /** Runtimes accept a stream with this option only (Fetch standard, `RequestDuplex`). */
  duplex?: 'half'
}

const buildBody = (row: Endpoint, { body, file, upload }: CallInput): RequestBody => {
  if (row.upload && upload) {
    const form = new FormData()
    form.set(row.upload.field, upload, upload.name)
    return { body: form }
  }
  if (file instanceof ReadableStream) return { body: file, duplex: 'half' }
  if (file !== undefined) return { body: file }
  return row.body ? { body: JSON.stringify(body ?? {}) } : {}
}

export const REFRESH_COOKIE = 'refresh_token'

export const readRefreshToken = ({ headers }: Response): string | undefined =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${REFRESH_COOKIE}=`))
    ?.slice(REFRESH_COOKIE.length + 1)
    .split(';')[0]

/**
 * Whether a body could match its schema. One required field is enough, so that servers of other
 * versions still work; JSON of another service has none of them.
 */
const couldMatch = ({ type, required = [] }: TSchema, answer: unknown): boolean => {
  if (type === 'array') return Array.isArray(answer)
  if (type !== 'object') return answer !== undefined
  if (typeof answer !== 'object' || answer === null) return false
  return required.length === 0 || required.some((name: string) => name in answer)
}

/**
 * The body of the URL rate limit has no `detail`: the body itself is the detail. svc does not send
 * redirects to API clients, so the detail names the target of one.
 */
const toFailure = (row: Endpoint, { status, headers }: Response, body: unknown): ApiFailure => {
  const { detail, error, retry_after } = fieldsOf(body)
  const location = headers.get('location')
  const whole = error === 'rate_limited' ? body : (location && `Moved to ${location}`) || undefined
  const inBody = typeof retry_after === 'number' ? retry_after : undefined
  const retryAfter = readRetryAfter(headers) ?? inBody
  const requestId = headers.get('x-request-id')
  return new ApiFailure(status, detail ?? whole, requestId, retryAfter, row.errors[status])
}

/**
 * Seconds of `Retry-After` (RFC 9110, section 10.2.3). A date counts from the `Date` of the response, where it can be
 * read: the clock of this machine may be off.
 */
export const readRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const until = Date.parse(value)
  const sentAt = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(sentAt) ? Date.now() : sentAt
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now) / 1000)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
