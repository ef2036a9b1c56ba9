import { showsForms, supportsApps } from '../../mcp/client-capabilities.ts'
import type { Caller } from '../platform/http/caller.ts'
import { absoluteUrl } from '../platform/http/url.ts'

const SESSION = 'mcp-session-id'
/** Parts of the session id of a client that shows MCP Apps, and forms. */
const WITH_APPS = '-ui'
const WITH_FORMS = '-forms'

/** Serves one request. @param body its parsed body, where it was read already. */
export type Serve = (request: Request, body?: unknown) => Promise<Response>

/**
 * Cancellation for clients of older revisions, which cancel with a separate request and keep the
 * connection of the call open. Calls are identified by the session id of the `initialize` response. The
 * server stores nothing for a session, so any replica accepts it, but a replica cancels only the calls
 * that it serves itself.
 */
export const createCancellation = () => {
  const pending = new Map<string, AbortController>()

  const serveCall = async (request: Request, key: string, body: unknown, serve: Serve) => {
    const cancel = new AbortController()
    const done = () => pending.delete(key)
    pending.set(key, cancel)
    const { method, headers } = request
    const signal = AbortSignal.any([request.signal, cancel.signal])
    const url = absoluteUrl(request.url)
    try {
      const response = await serve(new Request(url, { method, headers, signal }), body)
      return onResponseEnd(request, response, done)
    } catch (error) {
      done()
      throw error
    }
  }

  /** @param body the body of the request, which was read already; `message` if it is JSON. */
  return async (
    request: Request,
    { text, message }: { text: string; message: unknown },
    caller: Caller,
    serve: Serve,
  ): Promise<Response> => {
    const { headers, signal } = request
    const url = absoluteUrl(request.url)
    const serveText = () => serve(new Request(url, { method: 'POST', headers, body: text, signal }))
    const session = headers.get(SESSION)
    const { method, id, params } = (message ?? {}) as Message
    if (session === null) return withSession(request, await serveText(), params?.capabilities)
    const keyOf = (id: unknown) => JSON.stringify([caller.keyId ?? caller.sessionId, session, id])
    if (method === 'notifications/cancelled') pending.get(keyOf(params?.requestId))?.abort()
    if (method === 'tools/call' && id !== undefined)
      return serveCall(request, keyOf(id), message, serve)
    return serveText()
  }
}

interface Message {
  id?: unknown
  method?: unknown
  params?: { requestId?: unknown; capabilities?: unknown }
}

/**
 * Only an `initialize` request of older revisions has neither a session nor a protocol version header. The
 * session id keeps what the client announced, because the server stores nothing.
 */
const withSession = (request: Request, response: Response, capabilities: unknown): Response => {
  if (request.headers.has('mcp-protocol-version') || !response.ok) return response
  const announced = [
    supportsApps(capabilities) && WITH_APPS,
    showsForms(capabilities) && WITH_FORMS,
  ].filter(Boolean)
  response.headers.set(SESSION, [crypto.randomUUID(), ...announced].join(''))
  return response
}

/** The session of a client of an older revision, and the abilities that it announced when it opened it. */
export const sessionOf = ({ headers }: Request) => {
  const id = headers.get(SESSION) ?? ''
  return { id, hasApps: id.includes(WITH_APPS), hasForms: id.includes(WITH_FORMS) }
}

/** Calls `onEnd` when the response is read to its end, fails or is cancelled, or the client disconnects. */
export const onResponseEnd = (
  request: Request,
  response: Response,
  onEnd: () => void,
): Response => {
  if (request.signal.aborted) onEnd()
  else request.signal.addEventListener('abort', onEnd, { once: true })
  if (!response.body) {
    onEnd()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    cancel(reason) {
      onEnd()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
