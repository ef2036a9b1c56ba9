import { fetchPastProxy } from '../../../shared/proxies.ts'
import type {
  AnthropicSettings,
  ModelProviderSettings,
} from '../../platform/models/language-model.ts'

/** A server that speaks a protocol of models. */
export interface Upstream {
  /** Without a trailing slash; the path of an endpoint follows. */
  baseUrl: string
  headers: Record<string, string>
}

/** In this order: a server of one's own, or OpenAI, before those that only resemble it. */
const PREFERRED = ['openai', 'openrouter', 'ollama'] as const

export const openAiUpstream = (
  providers: readonly ModelProviderSettings[],
): Upstream | undefined => {
  const [provider] = PREFERRED.flatMap((name) => providers.filter((each) => each.name === name))
  return (
    provider && {
      baseUrl: withoutSlash(provider.baseUrl),
      headers: provider.apiKey ? { authorization: `Bearer ${provider.apiKey}` } : {},
    }
  )
}

export const anthropicUpstream = (settings: AnthropicSettings | undefined): Upstream | undefined =>
  settings && {
    baseUrl: `${withoutSlash(settings.baseUrl)}/v1`,
    headers: settings.apiKey ? { 'x-api-key': settings.apiKey } : {},
  }

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '')

/** Headers of the connection, credentials of svc, and what describes the client's network. */
const KEPT_BACK = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'accept-encoding'],
  ...['authorization', 'x-api-key', 'cookie', 'origin', 'referer', 'forwarded', 'via'],
  ...['x-org-id', 'x-timezone', 'x-real-ip', 'traceparent', 'tracestate', 'baggage'],
  // They select an account of the client at the provider, and the key is that of the operator.
  ...['openai-organization', 'openai-project'],
])
const KEPT_BACK_BEGINNINGS = ['x-svc-', 'x-forwarded-', 'cf-', 'sec-']

const requestHeaders = (sent: Headers, upstream: Upstream): Headers => {
  const headers = new Headers()
  for (const [name, value] of sent) if (!isKeptBack(name)) headers.append(name, value)
  for (const [name, value] of Object.entries(upstream.headers)) headers.set(name, value)
  headers.set('accept-encoding', 'identity')
  return headers
}

const isKeptBack = (name: string): boolean =>
  KEPT_BACK.has(name) || KEPT_BACK_BEGINNINGS.some((beginning) => name.startsWith(beginning))

/** Headers of the upstream's connection and host, which are not those of this server. */
const NOT_RETURNED = [
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'content-length'],
  ...['set-cookie', 'alt-svc', 'strict-transport-security', 'server', 'via', 'date'],
]

export const responseHeaders = (received: Headers): Headers => {
  const headers = new Headers(received)
  for (const name of NOT_RETURNED) headers.delete(name)
  for (const name of [...headers.keys()])
    if (name.startsWith('access-control-')) headers.delete(name)
  headers.set('cache-control', 'no-store')
  // Disables response buffering in nginx.
  headers.set('x-accel-buffering', 'no')
  return headers
}

interface Sent {
  method: string
  /** The path of the endpoint and the query of the request. */
  path: string
  headers: Headers
  body: string | undefined
  signal: AbortSignal
}

/**
 * Sends a request to the upstream. The bytes of the response are not decompressed. It has no timeout: a
 * model may think for longer than any, and the client ends what it does not wait for.
 */
export const sendUpstream = (
  upstream: Upstream,
  { method, path, headers, body, signal }: Sent,
): Promise<Response> => {
  const options: BunFetchRequestInit & { decompress: boolean; timeout: boolean } = {
    method,
    headers: requestHeaders(headers, upstream),
    ...(body !== undefined && { body }),
    signal,
    redirect: 'manual',
    decompress: false,
    timeout: false,
  }
  return fetchPastProxy(`${upstream.baseUrl}${path}`, options)
}
