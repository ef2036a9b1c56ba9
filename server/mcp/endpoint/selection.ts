import { InvalidSelectionError, selectTools } from '../../../mcp/selection.ts'
import { parseToolNames } from '../../../mcp/tool-names.ts'
import type { Tool } from '../../../mcp/tools/tool.ts'
import { absoluteUrl } from '../../platform/http/target.ts'
import { mcpError } from './errors.ts'

/** The tools that the address of a request selects. @throws ApiError 400 */
export const selectedTools = (request: Request): Tool[] => {
  const { searchParams } = new URL(absoluteUrl(request.url))
  const names = parseToolNames(searchParams.getAll('tools').join(','))
  try {
    return selectTools({ names, readOnly: readSwitch(searchParams.get('readonly')) })
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
