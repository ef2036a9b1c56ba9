import type { McpServer } from '@modelcontextprotocol/server'
import type { AskClient } from './tools/person.ts'

export interface AskOptions {
  signal: AbortSignal
  /** Sends the request. It is called when the response is awaited already. */
  send(): Promise<void> | undefined
}

/** Sends the request with an id, and waits for the response of the client. */
export type AwaitAnswer = (id: string, options: AskOptions) => Promise<unknown>

/** Asks a client of an older revision over HTTP, in the stream of its call. The client answers with a request. */
export const askingBy =
  (server: McpServer['server'], awaitAnswer: AwaitAnswer): AskClient =>
  (request, { mcpReq }) => {
    const id = crypto.randomUUID()
    const send = () =>
      server.transport?.send({ jsonrpc: '2.0', id, ...request }, { relatedRequestId: mcpReq.id })
    return awaitAnswer(id, { signal: mcpReq.signal, send })
  }
