import { type AuthInfo, createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { refuseParams } from '../../../mcp/message.ts'
import { MAX_BODY_BYTES } from '../../platform/http/body.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RawHandler } from '../../platform/http/mounts.ts'
import { checkOrigin, type HttpContext } from '../../platform/http/route.ts'
import { checkHost } from './admission.ts'
import { createCancellation, type Serve } from './cancellation.ts'
import { readMcpMessage } from './message.ts'
import { onResponseEnd } from './response-end.ts'

interface McpEndpoint {
  http: Pick<HttpContext, 'log' | 'streams' | 'trustedOrigins'>
  baseUrl: string
  /** @throws ApiError 401 without a valid credential, 400 for an invalid selection of tools. */
  admit(request: Request): Promise<Admission>
}

interface Admission {
  caller: Caller
  /** Creates the MCP server for one request of the caller. */
  build(): McpServer
}

/**
 * MCP over stateless Streamable HTTP. Each request has its own server, so that any replica can answer it.
 */
export const createMcpEndpoint = ({ http, baseUrl, admit }: McpEndpoint): RawHandler => {
  const handler = createMcpHandler(({ authInfo }) => admissionIn(authInfo).build(), {
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => http.log.debug({ error: error.message }, 'MCP request rejected'),
  })
  const serveCancellable = createCancellation()
  const calls = new Set<Promise<void>>()
  let closesWithServer = false
  /** When the server stops, open calls finish before subscriptions are closed. */
  const closeWithServer = () => {
    if (closesWithServer) return
    closesWithServer = true
    const close = async () => {
      await Promise.all(calls)
      await handler.close()
    }
    http.streams.closing.addEventListener('abort', () => http.streams.track(close()))
  }
  /** Tracks a call until its response ends. Subscriptions are not tracked: they have no end. */
  const track = async (request: Request, answer: Promise<Response>): Promise<Response> => {
    if (request.headers.get('mcp-method') === 'subscriptions/listen') return answer
    const { promise, resolve } = Promise.withResolvers<void>()
    calls.add(promise)
    const onEnd = () => {
      calls.delete(promise)
      resolve()
    }
    try {
      return onResponseEnd(request, await answer, onEnd)
    } catch (error) {
      onEnd()
      throw error
    }
  }

  return async (call) => {
    const { request, disableIdleTimeout } = call
    checkOrigin(request, http)
    checkHost(request, baseUrl)
    const admission = await admit(request)
    const { caller } = admission
    closeWithServer()
    const authInfo = authInfoOf(admission)
    const serve: Serve = (served, parsedBody) =>
      handler.fetch(served, { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
    if (request.method !== 'POST') {
      disableIdleTimeout()
      return track(request, serve(request))
    }
    const text = await readMcpMessage(call)
    if (text instanceof Response) return text
    disableIdleTimeout()
    const message = parseJson(text)
    const refusal = refuseParams(message)
    if (refusal) return Response.json(refusal)
    return track(request, serveCancellable(request, { text, message }, caller, serve))
  }
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
