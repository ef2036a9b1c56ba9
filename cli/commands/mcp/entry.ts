import { DEFAULT_PROFILE } from '../../../mcp/stdio/local-config.ts'
import {
  type ClientName,
  type InstallScope,
  type McpClient,
  mcpClients,
  type ServerEntry,
  type ServerTransport,
} from '../../../shared/mcp-clients.ts'
import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { findCommand, startCommand } from '../../executable.ts'

interface EntryArgs {
  scope: InstallScope
  http?: boolean
}

/** The entry of svc in the settings of a client. @throws CliError if the client does not support it. */
export const entryOf = (name: ClientName, args: EntryArgs, context: Context): ServerEntry => {
  const client: McpClient = mcpClients[name]
  const entry = client.entry(
    args.http
      ? { kind: 'http', url: `${context.url}/api/mcp` }
      : stdioTransport(context, args.scope),
  )
  if (entry) return entry
  throw usageError(
    `${client.title} does not support URLs in its settings. Add ${context.url}/api/mcp as a connector in the app.`,
    `Or run svc as a local process: svc mcp install --client ${name}`,
  )
}

const stdioTransport = (context: Context, scope: InstallScope): ServerTransport => {
  const { environment, profileName, sources, url, org } = context
  const [command = '', ...self] = commandOf(context, scope)
  const isExplicitUrl = sources.url === '--url' || sources.url === 'SVC_URL'
  const profile = profileName === DEFAULT_PROFILE ? [] : ['--profile', profileName]
  const { explicitConfigDir } = environment
  return {
    kind: 'stdio',
    command,
    args: [
      ...[...self, 'mcp', 'run', ...profile],
      ...(isExplicitUrl ? ['--url', url] : []),
      ...(sources.org === '--org' && org ? ['--org', org] : []),
    ],
    env: explicitConfigDir ? { SVC_CONFIG_DIR: explicitConfigDir } : {},
  }
}

/** The command that starts this svc. A project is shared, so it gets `svc` if that is on the PATH. */
export const commandOf = ({ io }: Context, scope: InstallScope): string[] =>
  scope === 'project' && findCommand('svc', io.runtime) ? ['svc'] : startCommand()
