import { mcp } from '../../../shared/contract/index.ts'

export const MCP_PATH = mcp.path

/** `GET` and `DELETE` are of sessions, which there are none of: they are answered so. */
export const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const

/** What a client in a browser sends beyond what the rest of the API takes. */
export const MCP_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id']
