/** One call of a row: arguments, retries, errors and streams. */

import { version } from '../../package.json'
import { type Client, createClient as createApiClient } from '../../shared/client.ts'
import { withRetries } from '../../shared/client-retries.ts'
import { type Send, sendWithToken } from '../../shared/client-session.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { errorText } from '../../shared/error-text.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { fetchPastProxy } from '../../shared/proxies.ts'
import { addressOf } from '../../shared/urls.ts'
import { ApiFailure, CutOff, NotSvc, OtherVersion, StreamFailed } from './errors.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { nameOf } from './reasons.ts'
import type { Row } from './rows.ts'
import { isBrowser, type ManagedSession } from './session.ts'

type Args = Readonly<Record<string, unknown>>

const DEFAULT_TIMEOUT_MS = 30_000
/** Models may need minutes before their first word. */
const ANSWER_TIMEOUT_MS = 600_000
const DEFAULT_RETRIES = 2
const DEFAULT_RETRY_WAIT_MS = 30_000

/** Calls rows with the options of a client. */
export const createCall = (
  options: ClientOptions & { baseUrl: string },
  session: () => ManagedSession,
) => {
  const plain: Send = options.fetch ?? fetchPastProxy
  // A browser stores and sends the refresh cookie, also to another origin. Some runtimes refuse the option.
  const withCookie: Send = (url, init) =>
    plain(url, isBrowser() ? { ...init, credentials: 'include' } : init)
  const sendFor = ({ credential }: Row): Send => {
    if (credential !== 'bearer') return withCookie
    if (options.apiKey !== undefined) return plain
    const { tokens } = session()
    return sendWithToken(withCookie, tokens)
  }

  return async (row: Row, args: Args, call: CallOptions): Promise<unknown> => {
    const { signal } = call
    const input = { ...inputOf(row, args), ...(signal && { signal }) }
    let headers = new Headers()
    const client = createApiClient({
      baseUrl: options.baseUrl,
      userAgent: options.userAgent,
      timezone: options.timezone,
      orgId: call.orgId ?? options.orgId,
      ...(row.credential === 'bearer' && { credential: options.apiKey }),
      ...(row.credential === 'cookie' && { refreshToken: session().refreshToken }),
      onRefreshToken: (token) => session().keep(token),
      onHeaders: (received) => {
        headers = received
      },
      fetch: sendFor(row),
      silenceMs: options.silenceMs,
      timeoutMs:
        call.timeoutMs ??
        options.timeoutMs ??
        (row.isAnswer ? ANSWER_TIMEOUT_MS : DEFAULT_TIMEOUT_MS),
    })
    const retries = {
      // A stream can be sent once only.
      maxRetries: args.file instanceof ReadableStream ? 0 : (options.maxRetries ?? DEFAULT_RETRIES),
      maxRetryWaitMs: options.maxRetryWaitMs ?? DEFAULT_RETRY_WAIT_MS,
    }
    const server = addressOf(options.baseUrl)
    const attempt = () => send(client, row, input)
    const isIdempotent = row.isIdempotent && !supersedes(args)
    const response = await withRetries({ isIdempotent }, attempt, retries, signal).catch(
      (error: unknown) => {
        throw asOtherVersion(error, row, server, headers)
      },
    )
    const isStream = 'stream' in fieldsOf(row.success[1])
    return isStream ? readParts(response as AsyncIterable<unknown>, row, server) : response
  }
}

/** A memory can be superseded once: the second request of such a write would be a conflict. */
const supersedes = (args: Args): boolean =>
  [args, args.memories].flat().some((memory) => fieldsOf(memory).supersedes != null)

/** Rows of the package have the parts of an endpoint that the client of the API reads. */
const send = (client: Client, row: Row, input: object): Promise<unknown> =>
  client.call(row as unknown as Endpoint, input)

/** Divides arguments into path parameters, query, body and file. */
const inputOf = (row: Row, args: Args) => {
  const params: Record<string, string> = {}
  const path = row.path.matchAll(/\{(\w+)\}/g)
  const names = new Set([...path].map(([, name = '']) => name))
  for (const name of names) {
    if (args[name] == null) throw new TypeError(`${row.name} needs ${name}`)
    params[name] = String(args[name])
  }
  const { file } = row.file || row.upload ? args : {}
  const rest = Object.entries(args).filter(
    ([name]) => !names.has(name) && !(name === 'file' && file !== undefined),
  )
  const isQuery = ([name]: [string, unknown]) => !row.body || row.query.includes(name)
  return {
    params,
    query: Object.fromEntries(rest.filter(isQuery)),
    body: Object.fromEntries(rest.filter((field) => !isQuery(field))),
    ...(file !== undefined && (row.upload ? { upload: asFile(file) } : { file })),
  }
}

/** A form names the file. */
const asFile = (content: unknown): File =>
  content instanceof File ? content : new File([content as Blob], 'file')

const named = (error: ApiFailure): ApiFailure => Object.assign(error, { reason: nameOf(error) })

/** Recognizes a server of another version by the header that each response of svc has (contract 7.1). */
const asOtherVersion = (error: unknown, row: Row, server: string, headers: Headers): unknown => {
  const isSvc = headers.has('x-request-id')
  const endpoint = `${row.method} ${row.path}`
  if (error instanceof NotSvc && isSvc)
    return new OtherVersion(
      `The response of ${server} to ${endpoint} has another form than svc-client ${version} knows`,
    )
  if (!(error instanceof ApiFailure)) return error
  const isUnknown = error.detail === undefined || error.detail === errorText.notFound
  if (error.status !== 404 || !isUnknown) return named(error)
  return isSvc
    ? new OtherVersion(
        `The server at ${server} has no ${endpoint}, which svc-client ${version} knows`,
      )
    : new NotSvc(`The service at ${server} is not svc`)
}

/** The parts of a stream. An event `error` is thrown, and so is an end before the last event. */
async function* readParts(
  parts: AsyncIterable<unknown>,
  { lastEvent }: Row,
  server: string,
): AsyncGenerator<unknown> {
  let isComplete = lastEvent === ''
  for await (const part of parts) {
    const { event, data } = fieldsOf(part)
    if (event === 'error') throw named(new StreamFailed(502, fieldsOf(data).detail, null))
    isComplete ||= event === lastEvent
    yield part
  }
  if (!isComplete) throw new CutOff(`The response of ${server} was cut off`)
}
