import type { McpServer } from '@modelcontextprotocol/server'
import type { AskClient } from './tools/person.ts'

/** Waits for the response of the client to the request with an id. */
export type AwaitAnswer = (id: string, signal: AbortSignal) => Promise<unknown>

/** Asks a client of an older revision over HTTP, in the stream of its call. The client answers with a request. */
export const askingBy =
  (server: McpServer['server'], awaitAnswer: AwaitAnswer): AskClient =>
  async (request, { mcpReq }) => {
    const id = crypto.randomUUID()
    const answer = awaitAnswer(id, mcpReq.signal)
    await server.transport?.send(
      { jsonrpc: '2.0', id, ...request },
      { relatedRequestId: mcpReq.id },
    )
    return answer
  }
