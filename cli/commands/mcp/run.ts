import { InvalidSelectionError, parseToolNames, selectTools } from '../../../mcp/selection.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { inLockdown, resolveConnection, type Setting } from '../../../mcp/stdio/connection.ts'
import { mayOnlyRead, processHost } from '../../../mcp/stdio/host.ts'
import { DEFAULT_PROFILE } from '../../../mcp/stdio/local-config.ts'
import { serveProcess } from '../../../mcp/stdio/serve.ts'
import type { Tool } from '../../../mcp/tools/tool.ts'
import { openOutages } from '../../assistants/outages.ts'
import { projectName } from '../../assistants/project.ts'
import type { CliEnvironment } from '../../config.ts'
import { usageError } from '../../errors.ts'
import type { Invocation } from '../../parse/define.ts'
import { openProfilesFile, settingsForProfile } from '../../settings.ts'

interface RunArgs {
  tools?: string
  readOnly?: boolean
  lockdown?: boolean
}

/** @throws CliError for an unknown tool. */
const readTools = ({ tools, readOnly }: RunArgs, { mcpTools }: CliEnvironment): Tool[] => {
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

/** The first setting with a value. */
const firstSet = (...settings: { text: string | undefined; source: string }[]) =>
  settings.find((setting): setting is Setting => setting.text !== undefined)

/**
 * Serves MCP on stdin and stdout until stdin ends. Settings are read for each call, so that a sign-in or
 * `svc orgs switch` takes effect at once. Invalid ones fail the tool calls, not the start, so that clients
 * can list the tools.
 */
export const runMcpServer = async (
  { environment, options, io }: Invocation,
  args: RunArgs,
): Promise<void> => {
  // An invalid selection is refused before anything is asked.
  readTools(args, environment)
  const connect = () => {
    const file = openProfilesFile(environment.configDir)
    const stored = file.read()
    const profile = options.profile ?? environment.profile ?? stored.profile ?? DEFAULT_PROFILE
    const { url, org } = settingsForProfile(stored, profile)
    const connection = resolveConnection({
      url: firstSet(
        { text: options.url, source: '--url' },
        { text: environment.url, source: 'SVC_URL' },
        { text: url, source: `url in ${file.path}` },
      ),
      org: firstSet(
        { text: options.org, source: '--org' },
        { text: org, source: `org in ${file.path}` },
      ),
      profile,
      apiKey: environment.apiKey,
      configDirectory: environment.configDir,
    })
    return inLockdown(connection, args.lockdown)
  }
  const onerror = (error: Error) => {
    // The SDK describes an invalid message in about a hundred lines.
    io.message(error.name === 'ZodError' ? 'Ignored an invalid JSON-RPC message.' : error.message)
  }
  // A client waits for the start, as an assistant does for its hooks.
  const outages = openOutages(environment.configDir, io.runtime.clock.now)
  const guard = <T>(url: string, request: () => Promise<T>) =>
    outages.guard(url, request, { timeout: 'hurried' })
  const readOnly = args.readOnly || (await mayOnlyRead(connect, guard))
  const tools = readTools({ ...args, readOnly }, environment)
  const host = processHost(connect, projectName(environment.folder, environment.home))
  const { stdin, stdout } = io.runtime
  const serving = { host, onerror, stdin: stdin.keys, stdout }
  await serveProcess((options) => createMcpServer(host, tools, options), serving)
}
