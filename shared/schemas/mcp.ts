import { Type } from '@sinclair/typebox'
import { AnyObject, withDefault } from './common.ts'

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
