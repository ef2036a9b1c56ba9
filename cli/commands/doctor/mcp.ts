import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Environment } from '../../config.ts'
import {
  type ClientName,
  clients,
  ENTRY_NAME,
  type McpClient,
  thisMachine,
} from '../mcp/clients.ts'
import { type Check, ok, warning } from './check.ts'

/** Looks which programs that speak MCP are here, and whether they know svc. */
export const checkClients = async (environment: Environment): Promise<Check[]> => {
  const found: Check[] = []
  for (const [name, client] of Object.entries(clients) as [ClientName, McpClient][]) {
    const path = client.file('user', thisMachine(environment))
    if (path && existsSync(path)) found.push(await checkClient(name, client, path))
  }
  return found
}

const checkClient = async (name: ClientName, client: McpClient, path: string): Promise<Check> => {
  const install = `Run: svc mcp install --client ${name}`
  try {
    const command = await commandIn(client, readFileSync(path, 'utf8'))
    if (command === undefined) return ok('mcp', `${client.title} does not know svc. ${install}`)
    const isThere =
      command === '' || (isAbsolute(command) ? existsSync(command) : Bun.which(command))
    if (isThere) return ok('mcp', `${client.title} knows svc`)
    return warning('mcp', `${client.title} would start ${command}, which is not there`, install)
  } catch {
    return warning(
      'mcp',
      `${client.title} keeps settings that cannot be read: ${path}`,
      'Mend the file.',
    )
  }
}

/** What a client starts as svc: undefined where it does not know svc, empty where it asks an address. */
const commandIn = async ({ format, table }: McpClient, text: string) => {
  const { parse } = await (format === 'toml' ? import('../mcp/toml.ts') : import('../mcp/jsonc.ts'))
  const settings = parse(text) as Record<string, Record<string, { command?: string }>>
  const entry = settings[table]?.[ENTRY_NAME]
  return entry && (entry.command ?? '')
}
