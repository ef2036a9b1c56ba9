import { basename } from 'node:path'
import {
  NO_RUNTIME_TIMEOUT,
  REFRESH_COOKIE,
  readRefreshToken,
  Unreachable,
} from '../../../shared/client.ts'
import type { Endpoint } from '../../../shared/contract/index.ts'
import { fetchPastProxy, proxyVariable, throughProxy } from '../../../shared/proxies.ts'
import { machineTimezone } from '../../../shared/timezone.ts'
import { ANSWER_TIMEOUT_MS } from '../../answer.ts'
import { type Context, notSignedInError } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { pathIn } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { traceRequest } from '../../requests.ts'
import type { Runtime } from '../../runtime.ts'
import { newAccessToken, withRefreshToken } from '../../session.ts'
import type { ApiTarget } from './target.ts'

/** Sends a request to a URL. Each call of it is one page of a list. */
export type SendRequest = (url: URL, signal: AbortSignal) => Promise<Response>

/**
 * Prepares the request of a target.
 * @param input the path of a file with the body, or `-` for stdin.
 * @param headerLines such as `Accept: text/event-stream`.
 */
export const prepareRequest = async (
  context: Context,
  target: ApiTarget,
  { input, headerLines }: { input: string | undefined; headerLines: string[] },
): Promise<SendRequest> => {
  const { row, method } = target
  const headers = new Headers({
    accept: '*/*',
    'user-agent': 'svc-cli',
    ...(await contextHeaders(context)),
  })
  const { body, type } =
    input === undefined ? fieldBody(target) : await fileBody(input, row, context.io.runtime)
  if (type) headers.set('content-type', type)
  const typed = headerLines.map(parseHeader)
  const send = (extra: [string, string][]) => (url: URL, signal: AbortSignal) =>
    fetchResponse(context, url, {
      method,
      signal,
      body,
      redirect: 'manual',
      headers: withHeaders(headers, [...extra, ...typed]),
    })
  if (typed.some(([name]) => name.toLowerCase() === 'authorization')) return send([])
  return sendWithCredential(context, row, send)
}

/** Adds the credential that the endpoint needs. */
const sendWithCredential = async (
  context: Context,
  row: Endpoint | undefined,
  send: (extra: [string, string][]) => SendRequest,
): Promise<SendRequest> => {
  const kind = row?.credential
  if (kind === 'cookie' || kind === 'browser')
    return (url, signal) =>
      withRefreshToken(context, async (token, onRefreshToken) => {
        const origin: [string, string][] =
          kind === 'browser' ? [['origin', new URL(context.url).origin]] : []
        const response = await send([['cookie', `${REFRESH_COOKIE}=${token}`], ...origin])(
          url,
          signal,
        )
        const rotated = readRefreshToken(response)
        if (rotated) onRefreshToken(rotated)
        return response
      })
  const needsSession = kind === 'jwt' || kind === 'session'
  const token = needsSession ? await newAccessToken(context) : context.credential?.key
  if (token === undefined && kind !== 'none') throw notSignedInError(context)
  return send(token === undefined ? [] : [['authorization', `Bearer ${token}`]])
}

const contextHeaders = async (context: Context): Promise<Record<string, string>> => {
  const { resolveOrganizationId } = await import('../../organization.ts')
  const org = await resolveOrganizationId(context.org, () =>
    context.connect({ credential: context.credential?.key }),
  )
  const timezone = machineTimezone()
  return { ...(org && { 'x-org-id': org }), ...(timezone && { 'x-timezone': timezone }) }
}

const withHeaders = (headers: Headers, added: [string, string][]): Headers => {
  const all = new Headers(headers)
  for (const [name, value] of added) all.set(name, value)
  return all
}

const parseHeader = (line: string): [name: string, value: string] => {
  const end = line.indexOf(':')
  const name = line.slice(0, end).trim()
  if (end > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [name, line.slice(end + 1).trim()]
  throw usageError(`${oneLine(line)} is not a header.`, "Use: -H 'Name: value'")
}

interface Body {
  body?: Exclude<RequestInit['body'], undefined>
  /** The content type; undefined if the body determines it. */
  type?: string
}

const JSON_TYPE = 'application/json'

const fieldBody = ({ row, body }: ApiTarget): Body => {
  const isEmpty = Object.keys(body).length === 0
  if (row ? !row.body : isEmpty) return {}
  if (row?.protocol?.body === 'application/x-www-form-urlencoded')
    return {
      body: new URLSearchParams(
        Object.entries(body).map(([name, value]): [string, string] => [name, `${value}`]),
      ),
    }
  return { body: JSON.stringify(body), type: JSON_TYPE }
}

const fileBody = async (
  path: string,
  row: Endpoint | undefined,
  runtime: Runtime,
): Promise<Body> => {
  const file = path === '-' ? undefined : Bun.file(pathIn(runtime, path))
  if (file && !(await file.exists()))
    throw usageError(`Cannot read ${oneLine(path)}.`, 'Check the path, or use - for stdin.')
  if (row?.upload) {
    const content = file ?? (await runtime.stdin.bytes())
    const form = new FormData()
    form.set(row.upload.field, new File([content], file ? basename(path) : 'stdin'))
    return { body: form }
  }
  return {
    body: file ?? runtime.stdin.stream(),
    type: row?.file ? 'application/octet-stream' : JSON_TYPE,
  }
}

/** @throws Unreachable if there is no response. */
const fetchResponse = async (
  { io, url: origin, debug }: Context,
  url: URL,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> => {
  const startedAt = performance.now()
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
  const request = { ...init, ...NO_RUNTIME_TIMEOUT, signal }
  const response = await fetchPastProxy(url, request).catch((cause) => {
    if (init.signal.aborted) throw init.signal.reason
    const proxy = proxyVariable(url)
    throw new Unreachable(`No answer from ${origin}${throughProxy(proxy)}`, { cause, proxy })
  })
  if (debug) traceRequest(io, `${init.method} ${url.pathname}`, `${response.status}`, startedAt)
  return response
}
