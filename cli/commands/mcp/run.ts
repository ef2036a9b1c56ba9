import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readConnection } from '../../../mcp/config.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { processHost } from '../../../mcp/stdio/host.ts'
import { DEFAULT_PROFILE } from '../../accepted.ts'
import { usageError } from '../../errors.ts'
import type { Bare } from '../../parse/run.ts'
import { openSettings, settingsOf } from '../../settings.ts'

/**
 * Serves MCP on stdin and stdout until stdin ends. What is wrong with the settings is told to
 * whoever calls a tool, so that the tools can be listed at least.
 */
export const run = async ({ environment, options, io }: Bare): Promise<void> => {
  if (options.org !== undefined)
    throw usageError(
      'An assistant acts where its key does.',
      `Make a key of the organization: svc keys create assistant --org ${options.org}`,
    )
  const connect = () => {
    const stored = openSettings(environment.configDir).read()
    const profile = options.profile ?? environment.profile ?? stored.profile ?? DEFAULT_PROFILE
    const url = options.url ?? environment.url ?? settingsOf(stored, profile).url
    return readConnection({
      SVC_URL: url,
      SVC_PROFILE: profile,
      SVC_API_KEY: environment.apiKey,
      SVC_CONFIG_DIR: environment.configDir,
    })
  }
  const onerror = (error: Error) => {
    // Of a message that is none, the SDK tells all that it lacks, in a hundred lines.
    io.say(error.name === 'ZodError' ? 'Ignored what is not a JSON-RPC message.' : error.message)
  }
  serveStdio(() => createMcpServer(processHost(connect)), { onerror })
}
