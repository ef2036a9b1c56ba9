import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import {
  anthropicCountTokens,
  anthropicMessages,
  anthropicModel,
  anthropicModels,
  openAiCancelResponse,
  openAiChatCompletions,
  openAiDeleteResponse,
  openAiEmbeddings,
  openAiModel,
  openAiModels,
  openAiResponse,
  openAiResponseItems,
  openAiResponses,
} from '../../../shared/contract/proxy.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { HttpContext } from '../../platform/http/context.ts'
import { watchDisconnect } from '../../platform/http/disconnect.ts'
import { ApiError, asDatabaseError } from '../../platform/http/error.ts'
import { checkOwnPolicies, checkScope, checkVerified, identify } from '../../platform/http/guard.ts'
import type { MountRaw, RawCall } from '../../platform/http/mounts.ts'
import { runRequest } from '../../platform/request-scope.ts'
import { anthropicDialect } from './anthropic.ts'
import { chatCompletionsDialect } from './chat-completions.ts'
import type { Dialect } from './dialect.ts'
import { anthropicError, type ErrorResponse, openAiError, proxyError } from './errors.ts'
import type { ProxyCall } from './forward.ts'
import { responsesDialect } from './responses.ts'
import type { ProxyService } from './service.ts'
import type { Upstream } from './upstream.ts'

/** The upstream of each protocol; undefined where none is configured. */
export interface Upstreams {
  openai(): Upstream | undefined
  anthropic(): Upstream | undefined
}

interface Protocol {
  name: keyof Upstreams
  /** The beginning of its paths, without that of the upstream's base URL. */
  prefix: string
  /** The variables that configure its upstream. */
  variables: string
  respond: ErrorResponse
}

const OPENAI: Protocol = {
  name: 'openai',
  prefix: '/api/openai/v1',
  variables: 'SVC_OPENAI_API_KEY, SVC_OPENAI_BASE_URL, SVC_OPENROUTER_API_KEY or SVC_OLLAMA_URL',
  respond: openAiError,
}

const ANTHROPIC: Protocol = {
  name: 'anthropic',
  prefix: '/api/anthropic/v1',
  variables: 'SVC_ANTHROPIC_API_KEY or SVC_ANTHROPIC_BASE_URL',
  respond: anthropicError,
}

interface Proxy {
  service: ProxyService
  upstreams: Upstreams
}

type Serve = (service: ProxyService, caller: Caller, call: ProxyCall) => Promise<Response>

const pass: Serve = (service, _caller, call) => service.pass(call)
const passCounted: Serve = (service, caller, call) => service.passCounted(caller, call)
const converse =
  (dialect: Dialect): Serve =>
  (service, caller, call) =>
    service.converse(caller, dialect, call)

const ROUTES: [row: Endpoint, protocol: Protocol, serve: Serve][] = [
  [openAiChatCompletions, OPENAI, converse(chatCompletionsDialect)],
  [openAiResponses, OPENAI, converse(responsesDialect)],
  [openAiEmbeddings, OPENAI, passCounted],
  [openAiModels, OPENAI, pass],
  [openAiModel, OPENAI, pass],
  [openAiResponse, OPENAI, pass],
  [openAiResponseItems, OPENAI, pass],
  [openAiCancelResponse, OPENAI, pass],
  [openAiDeleteResponse, OPENAI, pass],
  [anthropicMessages, ANTHROPIC, converse(anthropicDialect)],
  [
    anthropicCountTokens,
    ANTHROPIC,
    (service, caller, call) => service.count(caller, anthropicDialect, call),
  ],
  [anthropicModels, ANTHROPIC, pass],
  [anthropicModel, ANTHROPIC, pass],
]

/** The APIs of models, for programs that get memory by the change of their base URL. */
export const proxyRoutes = (mount: MountRaw, proxy: Proxy, http: HttpContext): void => {
  for (const [row, protocol, serve] of ROUTES)
    mount(row, async (call) => {
      try {
        const caller = await admit(row, call, http)
        const sent = await receive(row, protocol, proxy.upstreams, call, http)
        const scope = {
          client: watchDisconnect(call.request),
          account: caller.userId,
          isRead: false,
        }
        return await runRequest(scope, () => serve(proxy.service, caller, sent))
      } catch (thrown) {
        const error = asDatabaseError(thrown)
        if (!(error instanceof ApiError)) throw error
        const { cause, reason, status } = error
        http.log.info({ path: row.path, status, reason, cause }, 'proxied request refused')
        return protocol.respond(error, crypto.randomUUID())
      }
    })
}

/** @throws ApiError 401 without a valid credential, 403 without its scope or with an unverified email address. */
const admit = async (
  row: Endpoint,
  { request, client }: RawCall,
  http: HttpContext,
): Promise<Caller> => {
  const caller = await identify(request.headers, 'bearer', http.authenticate, { client })
  checkScope(caller, row)
  checkOwnPolicies(caller)
  checkVerified(caller)
  return caller
}

/** @throws ApiError 503 without an upstream, 413 for a body that is too large, 415 for a compressed one. */
const receive = async (
  row: Endpoint,
  { name, prefix, variables }: Protocol,
  upstreams: Upstreams,
  { request, text, disableIdleTimeout }: RawCall,
  { streams }: HttpContext,
): Promise<ProxyCall> => {
  const upstream = upstreams[name]()
  if (!upstream) throw proxyError('proxy_not_configured', variables)
  const json = row.method === 'POST' ? await text(budgets.proxyBody.bytes) : undefined
  // A model may be silent for longer while it thinks.
  disableIdleTimeout()
  const { pathname, search } = new URL(request.url)
  if (!isWithin(pathname)) throw proxyError('proxy_id_invalid')
  return { upstream, path: `${pathname.slice(prefix.length)}${search}`, request, json, streams }
}

/**
 * Whether a path means the same endpoint to an upstream that decodes it: the id of a model may have an encoded
 * slash, but an id leads to no other endpoint of the operator's account.
 */
const isWithin = (pathname: string): boolean => {
  const decoded = decodeOrEmpty(pathname)
  return /^[\w/.:@~-]+$/.test(decoded) && !decoded.includes('/.')
}

const decodeOrEmpty = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
