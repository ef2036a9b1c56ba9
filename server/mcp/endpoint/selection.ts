import { InvalidSelectionError, selectTools } from '../../../mcp/selection.ts'
import { parseToolNames } from '../../../mcp/tool-names.ts'
import type { Tool } from '../../../mcp/tools/tool.ts'
import { absoluteUrl } from '../../platform/http/url.ts'
import { mcpError } from './errors.ts'

/** Headers with the names of tools and toolsets. GitHub's MCP server has the same. */
const NAME_HEADERS = ['x-mcp-tools', 'x-mcp-toolsets'] as const

/** The tools that the address and the headers of a request select. @throws ApiError 400 */
export const selectedTools = ({ url, headers }: Request): Tool[] => {
  const { searchParams } = new URL(absoluteUrl(url))
  const listed = [...searchParams.getAll('tools'), ...NAME_HEADERS.map((name) => headers.get(name))]
  const switches = [searchParams.get('readonly'), headers.get('x-mcp-readonly')].map(readSwitch)
  try {
    return selectTools({
      names: parseToolNames(listed.join(',')),
      readOnly: switches.includes(true),
    })
  } catch (error) {
    if (error instanceof InvalidSelectionError) throw mcpError('mcp_tools_invalid', error.message)
    throw error
  }
}

const readSwitch = (text: string | null): boolean => {
  if (text === null || text === 'false' || text === '0') return false
  if (text === '' || text === 'true' || text === '1') return true
  throw mcpError('mcp_tools_invalid', 'readonly must be true or false')
}
