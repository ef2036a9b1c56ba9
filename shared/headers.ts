/** The header with the channel of a request, and its value for tool calls over MCP. */
export const CHANNEL_HEADER = 'x-svc-channel'
export const MCP_CHANNEL = 'mcp'
/** The header with the trust that the memories of a response have at least. */
export const MIN_TRUST_HEADER = 'x-svc-min-trust'
