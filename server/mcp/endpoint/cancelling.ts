import type { Caller } from '../../platform/http/caller.ts'
import { whenOver } from './over.ts'

const SESSION = 'mcp-session-id'

/** Serves one request; `body` is what it carried, where that was read already. */
export type Serve = (request: Request, body?: unknown) => Promise<Response>

/**
 * Lets clients of the older revisions cancel. They say so in a request of its own, and keep the
 * connection of the call open; so calls are known by what was given at the opening as a session. It
 * is a name alone and nothing is kept under it, so any replica takes it. A replica can only end the
 * calls of its own; another's goes on to its end.
 */
export const createCancelling = () => {
  const underWay = new Map<string, AbortController>()

  const serveCall = async (request: Request, name: string, body: unknown, serve: Serve) => {
    const cancel = new AbortController()
    const done = () => underWay.delete(name)
    underWay.set(name, cancel)
    const { url, method, headers } = request
    const signal = AbortSignal.any([request.signal, cancel.signal])
    try {
      const response = await serve(new Request(url, { method, headers, signal }), body)
      return whenOver(request, response, done)
    } catch (error) {
      done()
      throw error
    }
  }

  /** `text`: what the request carried; it is read already. */
  return async (
    request: Request,
    text: string,
    caller: Caller,
    serve: Serve,
  ): Promise<Response> => {
    const { url, headers, signal } = request
    const again = () => serve(new Request(url, { method: 'POST', headers, body: text, signal }))
    const session = headers.get(SESSION)
    if (session === null) return withSession(request, await again())
    const message = parse(text)
    const nameOf = (id: unknown) => JSON.stringify([caller.keyId ?? caller.sessionId, session, id])
    if (message?.method === 'notifications/cancelled')
      underWay.get(nameOf(message.params?.requestId))?.abort()
    if (message?.method === 'tools/call' && message.id !== undefined)
      return serveCall(request, nameOf(message.id), message, serve)
    return again()
  }
}

interface Message {
  id?: unknown
  method?: unknown
  params?: { requestId?: unknown }
}

const parse = (text: string): Message | undefined => {
  try {
    const message: unknown = JSON.parse(text)
    return message && typeof message === 'object' ? (message as Message) : undefined
  } catch {
    return undefined
  }
}

/** An opening of the older revisions is what comes under no session and names no revision. */
const withSession = (request: Request, response: Response): Response => {
  if (!request.headers.has('mcp-protocol-version') && response.ok)
    response.headers.set(SESSION, crypto.randomUUID())
  return response
}
