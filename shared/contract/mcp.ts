import { Type } from '@sinclair/typebox'
import { AnyObject, withDefault } from './common.ts'
import { endpoint, stream } from './endpoint.ts'

const RequestId = Type.Union([Type.String(), Type.Integer()])

/** Selects tools of the server, for clients that should not have all. */
export const McpQuery = Type.Object({
  tools: Type.Optional(
    Type.String({
      description: 'The names of tools and toolsets with commas between. Default: all.',
    }),
  ),
  readonly: withDefault(Type.Boolean({ description: 'Leave out tools that write.' }), false),
})

/** A request or notification of JSON-RPC 2.0. */
export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(RequestId),
    method: Type.String({ examples: ['tools/list'] }),
    params: Type.Optional(AnyObject()),
  },
  { examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
)

export const McpResponse = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(RequestId),
  result: Type.Optional(AnyObject()),
  error: Type.Optional(
    Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown()),
    }),
  ),
})

const tag = 'MCP'

export const mcp = endpoint({
  name: 'mcp',
  method: 'POST',
  path: '/api/mcp',
  tag,
  summary: 'Send a message of the Model Context Protocol and get its response',
  protocol: {
    about:
      'Streamable HTTP. Send `Accept: application/json, text/event-stream`; the server chooses one of the two. A notification gets 202 without a body. `GET` and `DELETE` get 405, because the endpoint has no sessions. It accepts the credentials of the API and the access tokens of OAuth clients. The headers `X-MCP-Tools`, `X-MCP-Toolsets` and `X-MCP-Readonly` select tools as the query does.',
  },
  credential: 'bearer',
  query: McpQuery,
  body: McpMessage,
  success: [200, McpResponse],
  streamed: stream('text/event-stream', McpResponse),
  errors: [400, 401, 403, 406, 413, 415],
  errorBodies: { 400: McpResponse, 406: McpResponse, 415: McpResponse },
})
