import { McpMessage, McpQuery, McpResponse } from '../schemas/mcp.ts'
import { endpoint, stream } from './endpoint.ts'

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
