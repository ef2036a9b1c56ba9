import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ClientName,
  type InstallScope,
  type Machine,
  type McpClient,
  mcpClients,
} from '../../../shared/mcp-clients.ts'

/** Fields of one transport, which are removed when an entry changes to the other. */
export const transportFields = {
  stdio: ['command', 'args', 'env', 'environment', 'cwd'],
  http: [
    ...['url', 'serverUrl', 'httpUrl', 'headers', 'http_headers', 'env_http_headers'],
    'bearer_token_env_var',
  ],
} as const

/** The settings file of a client; undefined if the client does not support the scope. */
export const settingsPath = (
  client: McpClient,
  scope: InstallScope,
  machine: Machine,
): string | undefined => {
  const parts = client.file(scope, machine)
  if (!parts) return undefined
  const path = join(...parts)
  const other = client.otherName && join(dirname(path), client.otherName)
  return other && !existsSync(path) && existsSync(other) ? other : path
}

/** The clients of this machine that support the scope: those with a settings file, or its folder. */
export const installedClients = (scope: InstallScope, machine: Machine): ClientName[] =>
  (Object.keys(mcpClients) as ClientName[]).filter((name) => {
    const path = settingsPath(mcpClients[name], 'user', machine)
    if (!path || !settingsPath(mcpClients[name], scope, machine)) return false
    const folder = dirname(path)
    return existsSync(path) || (folder !== machine.home && existsSync(folder))
  })
