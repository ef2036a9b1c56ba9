import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import {
  type ClientName,
  ENTRY_NAME,
  type McpClient,
  mcpClients,
} from '../../../shared/mcp-clients.ts'
import { findCommand } from '../../executable.ts'
import type { Invocation } from '../../parse/define.ts'
import type { Runtime } from '../../runtime.ts'
import { installedClients, settingsPath } from '../mcp/clients.ts'
import { type Check, ok, warning } from './check.ts'

/** Checks which MCP clients are installed, and whether svc is configured in them. */
export const checkClients = async (invocation: Invocation): Promise<Check[]> => {
  const found: Check[] = []
  const { environment: machine, io } = invocation
  for (const name of installedClients('user', machine)) {
    const path = settingsPath(mcpClients[name], 'user', machine)
    if (path) found.push(await checkClient(name, path, io.runtime))
  }
  return found
}

const checkClient = async (name: ClientName, path: string, runtime: Runtime): Promise<Check> => {
  const client = mcpClients[name]
  const install = `Run: svc mcp install --client ${name}`
  try {
    const command = await readServerCommand(
      client,
      existsSync(path) ? readFileSync(path, 'utf8') : '',
    )
    if (command === undefined)
      return ok('mcp', `${client.title}: svc is not configured. ${install}`)
    const isThere =
      command === '' || (isAbsolute(command) ? existsSync(command) : findCommand(command, runtime))
    if (isThere) return ok('mcp', `${client.title}: svc is configured`)
    return warning('mcp', `${client.title}: the command ${command} does not exist`, install)
  } catch {
    return warning(
      'mcp',
      `${client.title}: cannot read the settings in ${path}`,
      'Repair the file.',
    )
  }
}

/** The configured command: undefined without an entry, empty for an entry with a URL. */
const readServerCommand = async ({ format, table }: McpClient, text: string) => {
  const { parse } = await (format === 'toml' ? import('../mcp/toml.ts') : import('../mcp/jsonc.ts'))
  const settings = parse(text) as Record<string, Record<string, { command?: string | string[] }>>
  const entry = settings[table]?.[ENTRY_NAME]
  return entry && ([entry.command].flat()[0] ?? '')
}
