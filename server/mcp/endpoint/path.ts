import { mcp } from '../../../shared/contract/index.ts'

export const MCP_PATH = mcp.path

/** `GET` and `DELETE` belong to sessions. The endpoint has none, and answers 405. */
export const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const

/** Request headers of browser clients, beyond those of the rest of the API. */
export const MCP_HEADERS = [
  ...['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'],
  ...['X-MCP-Tools', 'X-MCP-Toolsets', 'X-MCP-Readonly'],
]
