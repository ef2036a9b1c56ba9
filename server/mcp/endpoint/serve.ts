import { type AuthInfo, createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { MAX_BODY_BYTES } from '../../platform/http/body.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RawHandler } from '../../platform/http/raw.ts'
import { checkOrigin, type HttpContext } from '../../platform/http/route.ts'
import { checkHost } from './access.ts'
import { createCancelling, type Serve } from './cancelling.ts'
import { readMessage } from './message.ts'
import { whenOver } from './over.ts'

export interface Serving {
  http: Pick<HttpContext, 'log' | 'streams' | 'trustedOrigins'>
  baseUrl: string
  /** Finds who sends a request. @throws ApiError for whoever may not. */
  admit(request: Request): Promise<Caller>
  /** Makes what answers one request of theirs. */
  build(caller: Caller): McpServer
}

/**
 * MCP over Streamable HTTP. Every request is served for itself, so that any replica can answer it:
 * nothing is kept between them, and there is nothing to poll or to end.
 */
export const createServing = ({ http, baseUrl, admit, build }: Serving): RawHandler => {
  const handler = createMcpHandler(({ authInfo }) => build(callerIn(authInfo)), {
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => http.log.debug({ error: error.message }, 'MCP request refused'),
  })
  const cancellable = createCancelling()
  const calls = new Set<Promise<void>>()
  let ends = false
  /** When the server stops, calls come to their end, and then what only listens is let go. */
  const endWithServer = () => {
    if (ends) return
    ends = true
    const end = async () => {
      await Promise.all(calls)
      await handler.close()
    }
    http.streams.closing.addEventListener('abort', () => http.streams.hold(end()))
  }
  /** Notes a call until it is over; whoever listens does so for as long as they like. */
  const noted = async (request: Request, answer: Promise<Response>): Promise<Response> => {
    if (request.headers.get('mcp-method') === 'subscriptions/listen') return answer
    const { promise, resolve } = Promise.withResolvers<void>()
    calls.add(promise)
    const over = () => {
      calls.delete(promise)
      resolve()
    }
    try {
      return whenOver(request, await answer, over)
    } catch (error) {
      over()
      throw error
    }
  }

  return async ({ request, takeTime }) => {
    checkOrigin(request, http)
    checkHost(request, baseUrl)
    const caller = await admit(request)
    endWithServer()
    takeTime()
    const authInfo = infoOf(caller)
    const serve: Serve = (served, parsedBody) =>
      handler.fetch(served, { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
    if (request.method !== 'POST') return noted(request, serve(request))
    const text = await readMessage(request)
    if (text instanceof Response) return text
    return noted(request, cancellable(request, text, caller, serve))
  }
}

/** Hands the caller through the SDK; it has no use for the token. */
const infoOf = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.keyId ?? caller.sessionId ?? '',
  scopes: [],
  extra: { caller },
})

const callerIn = (info: AuthInfo | undefined): Caller => {
  const caller = info?.extra?.caller
  if (!caller) throw new Error('an MCP request is served without a caller')
  return caller as Caller
}
