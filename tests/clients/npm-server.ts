import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply = (response: ServerResponse, request: IncomingMessage) => void

export interface ScriptedServer extends AsyncDisposable {
  url: string
  /** The requests so far, as `GET /api/health`. */
  requests: string[]
}

/** A server that answers its requests in this order, and all others as the last one. */
export const startScripted = async (...replies: Reply[]): Promise<ScriptedServer> => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    response.sendDate = false
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    requests.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => reply?.(response, request))
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

/** The header that each response of svc has. */
const FROM_SVC = { 'x-request-id': 'a3a3a3a3-0000-4000-8000-000000000000' }

export const json =
  (status: number, body: unknown, headers: Record<string, string> = FROM_SVC): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** Server-sent events, and then `end`: the response ends, breaks off or goes on. */
export const events =
  (parts: { event: string; data: unknown }[], end: (response: ServerResponse) => void): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const { event, data } of parts)
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    end(response)
  }

/** Drops the connection without a response. */
export const hangsUp: Reply = (response) => response.destroy()

/** Never answers. */
export const waits: Reply = () => {}
