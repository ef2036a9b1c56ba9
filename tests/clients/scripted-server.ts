import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export type Reply = (response: ServerResponse, received: Received) => void | Promise<void>

/** A server that answers as a test sets, in this order, and the last reply from then on. */
export interface ScriptedServer extends AsyncDisposable {
  url: string
  received: Received[]
  /** The number of connections so far. */
  readonly connections: number
}

export const startScripted = async (...replies: Reply[]): Promise<ScriptedServer> => {
  const received: Received[] = []
  let connections = 0
  let next = 0
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: await readText(request) }
    received.push(one)
    const reply = replies[Math.min(next++, replies.length - 1)]
    await reply?.(response, one)
  })
  server.on('connection', () => {
    connections++
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

type Headers = Record<string, string>

/** Every response of svc has an id. */
export const REQUEST_ID = '128ef5e9-171a-45b0-9f88-3b255d75f7d4'

/** Answers as svc does. */
export const says =
  (status: number, body: unknown, headers: Headers = {}): Reply =>
  (response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': REQUEST_ID,
      ...headers,
    })
    response.end(JSON.stringify(body))
  }

/** Answers as another service does. */
export const saysText =
  (status: number, body: string, headers: Headers = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end(body)
  }

/** Closes the connection without a response. */
export const hangsUp: Reply = (response) => {
  response.socket?.destroy()
}

export const isSilent: Reply = () => {}

/** Sends the start of a response, and then ends it in one of three ways. */
export const starts =
  (type: string, text: string, end: 'complete' | 'cut' | 'silent', headers: Headers = {}): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': type, 'x-request-id': REQUEST_ID, ...headers })
    const written = Promise.withResolvers<void>()
    response.write(text, () => written.resolve())
    await written.promise
    if (end === 'complete') response.end()
    if (end === 'cut') response.socket?.destroy()
  }

/** The events of a stream. */
export const events = (...parts: [name: string, data: unknown][]): string =>
  parts.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')
