import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server'
import { isGroup } from '../../mcp/activity.ts'
import type { AwaitAnswer } from '../../mcp/asking.ts'
import type { ToolHost } from '../../mcp/host.ts'
import { refuseParams, subscribedIn, unwrapArguments } from '../../mcp/message.ts'
import { InvalidSelectionError, parseToolNames, selectTools } from '../../mcp/selection.ts'
import type { McpServerOptions } from '../../mcp/server.ts'
import type { Tool } from '../../mcp/tools/tool.ts'
import { hasScope } from '../../shared/contract/scopes.ts'
import { budgets } from '../platform/budgets.ts'
import { MAX_BODY_BYTES } from '../platform/http/body.ts'
import type { Caller } from '../platform/http/caller.ts'
import { checkOrigin, type HttpContext } from '../platform/http/context.ts'
import { checkOwnPolicies } from '../platform/http/guard.ts'
import { countProblem, measureJson } from '../platform/http/json.ts'
import type { RawCall, RawHandler } from '../platform/http/mounts.ts'
import { absoluteUrl } from '../platform/http/url.ts'
import { checkHost, mcpError } from './admission.ts'
import type { ClientAnswers } from './answers.ts'
import { createCancellation, onResponseEnd, type Serve, sessionOf } from './cancellation.ts'
import { serveListener } from './subscriptions.ts'

interface McpEndpoint {
  answers: ClientAnswers
  http: Pick<HttpContext, 'log' | 'streams' | 'trustedOrigins'>
  baseUrl: string
  /** @throws ApiError 401 without a valid credential, 400 for an invalid selection of tools. */
  admit(call: Pick<RawCall, 'request' | 'client'>): Promise<Admission>
}

interface Admission {
  caller: Caller
  host: ToolHost
  /**
   * Authenticates the request again: from then on, the host calls the API as the caller is now.
   * @throws ApiError when the credential has ended, or acts in another workspace.
   */
  renew(): Promise<Caller>
  /** Creates the MCP server for one request of the caller. */
  build(options: McpServerOptions): McpServer
}

/**
 * MCP over stateless Streamable HTTP. Each request has its own server, so that any replica can answer it.
 */
export const createMcpEndpoint = ({ answers, http, baseUrl, admit }: McpEndpoint): RawHandler => {
  const handler = createMcpHandler(
    async ({ authInfo, era, requestInfo }) => {
      const { caller, build, renew } = admissionIn(authInfo)
      if (era === 'modern' || !requestInfo) return build({ canSubscribe: era === 'modern' })
      const { id: session, hasApps, hasForms } = sessionOf(requestInfo)
      const awaitAnswer: AwaitAnswer = async (id, { signal: call, send }) => {
        const signal = AbortSignal.any([call, requestInfo.signal, http.streams.closing])
        const answer = await answers.wait({ caller, session, id }, { signal, send })
        // A person takes minutes, in which the credential may end or lose scopes.
        if (!signal.aborted) await renew()
        return answer
      }
      return build({ hasApps, ...(hasForms && (await answers.open()) && { awaitAnswer }) })
    },
    {
      maxRequestBodySize: MAX_BODY_BYTES,
      onerror: (error) => http.log.debug({ error: error.message }, 'MCP request rejected'),
    },
  )
  const serveCancellable = createCancellation()
  const calls = createOpenCalls()
  const listeners = new Set<() => Promise<void>>()
  let closesWithServer = false
  /** When the server stops, open calls finish before subscriptions are closed. */
  const closeWithServer = () => {
    if (closesWithServer) return
    closesWithServer = true
    const close = async () => {
      await calls.ended()
      await Promise.all([handler.close(), ...[...listeners].map((end) => end())])
    }
    http.streams.closing.addEventListener('abort', () => http.streams.track(close()))
  }
  /** Serves a subscription, which has no end of its own. */
  const listen = async (
    call: Pick<RawCall, 'request' | 'client'>,
    { caller, host, build, renew }: Admission,
    { serve, message }: { serve: (target: McpHttpHandler) => Promise<Response>; message: unknown },
  ): Promise<Response> => {
    const listener = {
      host,
      build: () => build({ canSubscribe: true }),
      groups: subscribedIn(message).filter(isGroup),
      readmit: async () => checkOwnPolicies(await renew()),
    }
    checkOwnPolicies(caller)
    const { response, close } = await serveListener(listener, serve)
    listeners.add(close)
    return onResponseEnd(call.request, response, () => listeners.delete(close))
  }

  return async (call) => {
    const { request, disableIdleTimeout } = call
    checkOrigin(request, http)
    checkHost(request, baseUrl)
    const admission = await admit(call)
    const { caller } = admission
    closeWithServer()
    const authInfo = authInfoOf(admission)
    const serveBy =
      (target: McpHttpHandler): Serve =>
      (served, parsedBody) =>
        target.fetch(served, { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
    const serve = serveBy(handler)
    if (request.method !== 'POST') {
      disableIdleTimeout()
      return calls.track(request, serve(request))
    }
    const body = await readMcpMessage(call)
    if (body instanceof Response) return body
    disableIdleTimeout()
    const received = parseJson(body)
    const message = unwrapArguments(received, (json) =>
      problemOf(json) ? undefined : parseJson(json),
    )
    const text = message === received ? body : JSON.stringify(message)
    const { id: session, hasForms } = sessionOf(request)
    const answer = hasForms ? answerIn(message) : undefined
    if (answer) {
      await answers.deliver({ caller, session, id: answer.id }, answer.result)
      return new Response(null, { status: 202 })
    }
    const refusal = refuseParams(message)
    if (refusal) return Response.json(refusal)
    if (request.headers.get('mcp-method') === 'subscriptions/listen')
      return listen(call, admission, {
        message,
        serve: (target) => serveCancellable(request, { text, message }, caller, serveBy(target)),
      })
    return calls.track(request, serveCancellable(request, { text, message }, caller, serve))
  }
}

/** The calls whose responses have not ended. */
const createOpenCalls = () => {
  const open = new Set<Promise<void>>()
  return {
    /** Tracks a call until its response ends. */
    async track(request: Request, answer: Promise<Response>): Promise<Response> {
      const { promise, resolve } = Promise.withResolvers<void>()
      open.add(promise)
      const onEnd = () => {
        open.delete(promise)
        resolve()
      }
      try {
        return onResponseEnd(request, await answer, onEnd)
      } catch (error) {
        onEnd()
        throw error
      }
    },

    /** Resolves when those that are open now have ended. */
    async ended(): Promise<void> {
      await Promise.all(open)
    },
  }
}

/** The response of a client to a request of the server; an error has no result. */
const answerIn = (message: unknown): { id: string; result?: unknown } | undefined => {
  const { id, method, result, error } = (message ?? {}) as Record<string, unknown>
  const isAnswer = method === undefined && (result !== undefined || error !== undefined)
  return isAnswer && typeof id === 'string' ? { id, result } : undefined
}

/** @returns undefined for a text that is not JSON, which the SDK refuses. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Passes the admission through the SDK, which does not use the token. */
const authInfoOf = (admission: Admission): AuthInfo => ({
  token: '',
  clientId: admission.caller.keyId ?? admission.caller.sessionId ?? '',
  scopes: [],
  extra: { admission },
})

const admissionIn = (info: AuthInfo | undefined): Admission => {
  const admission = info?.extra?.admission
  if (!admission) throw new Error('an MCP request has no caller')
  return admission as Admission
}

/** The JSON-RPC code for a message that cannot be parsed. */
const PARSE_ERROR = -32_700

/**
 * Reads the text of a message.
 * @returns the text, or an error response for a message that would take seconds to parse or validate.
 * @throws ApiError 413 over 1 MiB, 422 for invalid UTF-8, 400 for a body that ends early or is too slow.
 */
const readMcpMessage = async ({
  text: read,
}: Pick<RawCall, 'text'>): Promise<string | Response> => {
  const text = await read(MAX_BODY_BYTES)
  const problem = problemOf(text)
  if (!problem) return text
  const error = { code: PARSE_ERROR, message: `Parse error: ${problem}` }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
}

/** Why a text would take seconds to parse or validate; undefined if it would not. */
const problemOf = (text: string): string | undefined => {
  const measure = measureJson(text)
  return measure.depth > budgets.mcpMessage.depth
    ? 'JSON is nested too deeply'
    : countProblem(measure, { ...budgets.requestJson, ...budgets.mcpMessage })
}

/** Headers with the names of tools and toolsets. GitHub's MCP server has the same. */
const NAME_HEADERS = ['x-mcp-tools', 'x-mcp-toolsets'] as const

/**
 * The tools that the address and the headers of a request select, without those that write if the
 * credential may not.
 * @throws ApiError 400
 */
export const selectedTools = (
  { url, headers }: Request,
  { scopes }: Pick<Caller, 'scopes'>,
): Tool[] => {
  const { searchParams } = new URL(absoluteUrl(url))
  const listed = [...searchParams.getAll('tools'), ...NAME_HEADERS.map((name) => headers.get(name))]
  try {
    return selectTools({
      names: parseToolNames(listed.join(',')),
      readOnly:
        isSwitchedOn('readonly', { searchParams, headers }) || !hasScope(scopes, 'memory:write'),
    })
  } catch (error) {
    if (error instanceof InvalidSelectionError) throw mcpError('mcp_tools_invalid', error.message)
    throw error
  }
}

/** Whether the tools of a request see only memories of the user and of assistants. @throws ApiError 400 */
export const isInLockdown = ({ url, headers }: Request): boolean =>
  isSwitchedOn('lockdown', { searchParams: new URL(absoluteUrl(url)).searchParams, headers })

/** A switch is in the address or in a header. */
const isSwitchedOn = (
  name: 'readonly' | 'lockdown',
  { searchParams, headers }: { searchParams: URLSearchParams; headers: Headers },
): boolean =>
  [searchParams.get(name), headers.get(`x-mcp-${name}`)]
    .map((text) => readSwitch(name, text))
    .includes(true)

const readSwitch = (name: string, text: string | null): boolean => {
  if (text === null || text === 'false' || text === '0') return false
  if (text === '' || text === 'true' || text === '1') return true
  throw mcpError('mcp_tools_invalid', `${name} must be true or false`)
}
