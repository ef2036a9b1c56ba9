import { InvalidSelectionError, selectTools } from '../../../mcp/selection.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { resolveConnection, type UrlSetting } from '../../../mcp/stdio/connection.ts'
import { processHost } from '../../../mcp/stdio/host.ts'
import { DEFAULT_PROFILE } from '../../../mcp/stdio/local-config.ts'
import { serveProcess } from '../../../mcp/stdio/serve.ts'
import { parseToolNames } from '../../../mcp/tool-names.ts'
import type { Tool } from '../../../mcp/tools/tool.ts'
import type { Environment } from '../../config.ts'
import { usageError } from '../../errors.ts'
import type { Invocation } from '../../parse/run.ts'
import { openSettingsFile, settingsForProfile } from '../../settings.ts'

export interface RunArgs {
  tools?: string
  readOnly?: boolean
}

/** @throws CliError for an unknown tool. */
const readTools = ({ tools, readOnly }: RunArgs, { mcpTools }: Environment): Tool[] => {
  try {
    return selectTools({ names: parseToolNames(tools ?? mcpTools), readOnly })
  } catch (error) {
    if (!(error instanceof InvalidSelectionError)) throw error
    const setting = tools === undefined && mcpTools ? 'SVC_MCP_TOOLS' : '--tools'
    throw usageError(
      `${error.message}.`,
      `Correct ${setting}, or leave it out for all tools.`,
      error,
    )
  }
}

const isSet = (setting: { [K in keyof UrlSetting]: string | undefined }): setting is UrlSetting =>
  setting.text !== undefined

/**
 * Serves MCP on stdin and stdout until stdin ends. Invalid settings fail the tool calls, not the
 * start, so that clients can list the tools.
 */
export const runMcpServer = async (
  { environment, options, io }: Invocation,
  args: RunArgs,
): Promise<void> => {
  if (options.org !== undefined)
    throw usageError(
      'svc mcp run does not take --org. It acts in the organization of its API key.',
      `Create a key of the organization: svc keys create assistant --org ${options.org}`,
    )
  const tools = readTools(args, environment)
  const connect = () => {
    const file = openSettingsFile(environment.configDir)
    const stored = file.read()
    const profile = options.profile ?? environment.profile ?? stored.profile ?? DEFAULT_PROFILE
    return resolveConnection({
      url: [
        { text: options.url, source: '--url' },
        { text: environment.url, source: 'SVC_URL' },
        { text: settingsForProfile(stored, profile).url, source: `url in ${file.path}` },
      ].find(isSet),
      profile,
      apiKey: environment.apiKey,
      configDirectory: environment.configDir,
    })
  }
  const onerror = (error: Error) => {
    // The SDK describes an invalid message in about a hundred lines.
    io.message(error.name === 'ZodError' ? 'Ignored an invalid JSON-RPC message.' : error.message)
  }
  serveProcess(() => createMcpServer(processHost(connect), tools), { onerror })
}
