import type { TObject, TSchema } from '@sinclair/typebox'
import { type Answer, type Endpoint, type FileBody, isStream } from './contract/endpoint.ts'
import { failureText } from './failure-text.ts'
import type { Input } from './schemas/common.ts'

/** An answer of the server outside 2xx. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  constructor(
    readonly status: number,
    /** The body's `detail`: a string, an object or an array (contract 7.1). */
    readonly detail: unknown,
    readonly requestId: string | null,
    /** Seconds until another try makes sense, where the answer says so. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(failureText(status, detail))
  }
}

/** No answer came: the server is not there, the connection broke, or something else answered. */
export class Unreachable extends Error {
  override name: string = 'Unreachable'
}

/** Something answered that is no svc. */
export class NotSvc extends Unreachable {
  override name = 'NotSvc'
}

/** An object of which nothing is required. */
type Empty = Record<never, never>

type Part<K extends string, T> = T extends TObject
  ? Empty extends Input<T>
    ? { [P in K]?: Input<T> }
    : { [P in K]: Input<T> }
  : Empty

/** The bytes of a file: held, or read while they are sent. */
export type FileContent = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

type FilePart<F> = F extends FileBody ? { file: FileContent } : Empty

/** What a call of an endpoint takes: its parameters, query, and body or file. */
export type Args<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> &
  FilePart<E['file']> & {
    /** For an endpoint that takes an upload: the file, with its name. */
    upload?: File
    signal?: AbortSignal
  }

export interface ClientOptions {
  /** For example `http://localhost:3000`. */
  baseUrl: string
  /** An API key or an access token; left out for public endpoints. */
  credential?: string | undefined
  /** The value of the refresh cookie, for the endpoints that take it. */
  refreshToken?: string | undefined
  /** Called with the refresh cookie of an answer that sets one. */
  onRefreshToken?: (token: string) => void | Promise<void>
  /** The organization to act in (`X-Org-ID`); the active one, or none, if left out. */
  orgId?: string | undefined
  /** The time zone of whoever asks (`X-Timezone`); that of this machine, if left out. */
  timezone?: string | undefined
  /** Called with the headers of each answer, whatever its status. */
  onHeaders?: (headers: Headers) => void
  userAgent?: string
  /** Sends the requests; over the network unless given. */
  fetch?: (url: URL, init: RequestInit) => Promise<Response>
  /**
   * Milliseconds until a call is given up. Sending a file, and reading a stream that has begun, may
   * take as long as they take.
   */
  timeoutMs?: number
}

export interface Client {
  /**
   * Calls one endpoint of the contract. A stream is answered when it begins; leaving its loop ends it.
   * @throws ApiFailure for an answer outside 2xx, Unreachable when no answer came or it broke off.
   */
  call<E extends Endpoint>(
    row: E,
    ...args: Empty extends Args<E> ? [Args<E>?] : [Args<E>]
  ): Promise<Answer<E>>
}

/**
 * Where this machine is. A machine that is set to UTC is nearly always a server, or a container on one,
 * and tells nothing of where its people are.
 */
const machineTimezone = (): string | undefined => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Unknown)$/i.test(timeZone) ? undefined : timeZone
}

export const createClient = (options: ClientOptions): Client => ({
  async call<E extends Endpoint>(row: E, ...args: [Args<E>?]) {
    const { params, query, body, file, upload, signal } = (args[0] ?? {}) as {
      params?: Record<string, string>
      query?: Record<string, unknown>
      body?: unknown
      file?: FileContent
      upload?: File
      signal?: AbortSignal
    }
    const [, success] = row.success
    const path = row.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(params?.[name])),
    )
    const url = new URL(path, options.baseUrl)
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))

    const failed =
      (message: string) =>
      (cause: unknown): never => {
        if (signal?.aborted) throw signal.reason
        throw new Unreachable(message, { cause })
      }
    const unreachable = failed(`No answer from ${url.origin}`)
    const timezone = options.timezone ?? machineTimezone()
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), options.timeoutMs ?? 30_000)
    const form = row.upload && upload && formOf(row.upload.field, upload)
    if (file !== undefined || form) clearTimeout(timer)
    try {
      const response = await (options.fetch ?? fetch)(url, {
        method: row.method,
        redirect: 'manual',
        headers: {
          accept: isStream(success) ? success.stream.type : 'application/json',
          ...(options.userAgent && { 'user-agent': options.userAgent }),
          ...(options.credential && { authorization: `Bearer ${options.credential}` }),
          ...(options.orgId && { 'x-org-id': options.orgId }),
          ...(timezone && { 'x-timezone': timezone }),
          ...(options.refreshToken && { cookie: `refresh_token=${options.refreshToken}` }),
          ...(row.body && { 'content-type': 'application/json' }),
          ...(row.file && { 'content-type': 'application/octet-stream' }),
        },
        ...(row.body && { body: JSON.stringify(body ?? {}) }),
        ...(file !== undefined && { body: file }),
        ...(form && { body: form }),
        signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
      }).catch(unreachable)
      options.onHeaders?.(response.headers)

      const cookie = response.headers.getSetCookie().find((c) => c.startsWith('refresh_token='))
      const token = cookie?.slice('refresh_token='.length).split(';')[0]
      if (token) await options.onRefreshToken?.(token)

      const stranger = new NotSvc(`What answers at ${url.origin} is not svc`)
      if (response.ok && isStream(success)) {
        const { type } = success.stream
        if (!response.headers.get('content-type')?.startsWith(type)) throw stranger
        const read = type === 'text/event-stream' ? eventsOf : linesOf
        return read(response, failed(`The answer of ${url.origin} broke off`)) as Answer<E>
      }
      const answer = parseJson(await response.text().catch(unreachable))
      if (!response.ok) throw failureOf(response, answer)
      if (success && !isStream(success) && !resembles(success, answer)) throw stranger
      return answer as Answer<E>
    } finally {
      clearTimeout(timer)
    }
  },
})

/**
 * Whether an answer could be what the contract says. Of an object's fields one is enough, so that
 * servers of other versions are understood; something else that answers in JSON has none of them.
 */
const resembles = ({ type, required = [] }: TSchema, answer: unknown): boolean => {
  if (type === 'array') return Array.isArray(answer)
  if (type !== 'object') return answer !== undefined
  if (typeof answer !== 'object' || answer === null) return false
  return required.length === 0 || required.some((name: string) => name in answer)
}

/**
 * One limit's answer has no `detail`: the body itself says it (contract 7.5). An answer that sends
 * elsewhere is no svc's own, and says where to.
 */
const failureOf = ({ status, headers }: Response, body: unknown): ApiFailure => {
  const { detail, error, retry_after } = (body ?? {}) as Record<string, unknown>
  const location = headers.get('location')
  const whole = error === 'rate_limited' ? body : (location && `Moved to ${location}`) || undefined
  const seconds = Number(headers.get('retry-after') ?? retry_after ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  return new ApiFailure(status, detail ?? whole, headers.get('x-request-id'), retryAfter)
}

const formOf = (field: string, file: File): FormData => {
  const form = new FormData()
  form.set(field, file, file.name)
  return form
}

/** The values of an NDJSON answer, as they come. */
async function* linesOf(
  response: Response,
  unreachable: (cause: unknown) => never,
): AsyncGenerator<unknown> {
  for await (const line of textLinesOf(response, unreachable))
    if (line) yield partOf(line, unreachable)
}

/** Server-sent events, as they come; comments keep the connection alive and say nothing. */
async function* eventsOf(
  response: Response,
  unreachable: (cause: unknown) => never,
): AsyncGenerator<unknown> {
  let event = ''
  let data: string[] = []
  for await (const line of textLinesOf(response, unreachable)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    if (line !== '') continue
    if (data.length) yield { event, data: partOf(data.join('\n'), unreachable) }
    event = ''
    data = []
  }
}

async function* textLinesOf(
  { body }: Response,
  unreachable: (cause: unknown) => never,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = (body ?? new Blob().stream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(unreachable)
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
      if (done && rest) unreachable(new Error('It ended within a line'))
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** One part of a stream, which is whole or was cut off on its way. */
const partOf = (text: string, unreachable: (cause: unknown) => never): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return unreachable(cause)
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
