import { existsSync } from 'node:fs'
import {
  type ClientName,
  type InstallScope,
  type McpClient,
  mcpClients,
} from '../../../shared/mcp-clients.ts'
import { keysOf } from '../../../shared/objects.ts'
import { assistants, isAssistantName } from '../../assistants/clients.ts'
import { hookEvents, hookSettings, hooksPath } from '../../assistants/hook-settings.ts'
import type { Context } from '../../context.ts'
import { findCommand } from '../../executable.ts'
import { installedClients, settingsPath } from '../mcp/clients.ts'
import { hasEntry } from '../mcp/merge.ts'
import { readSettingsFile } from '../mcp/settings-file.ts'
import { pathOf } from './changes.ts'
import { countHooks } from './hooks.ts'
import { isOwnPlugin } from './plugin.ts'

/** Whether svc is there. `partly` and `unreadable` need attention; null is a part that an assistant lacks. */
type State = 'yes' | 'no' | 'partly' | 'unreadable' | null

/** Lists the assistants of this machine, and whether svc is connected to them. */
export const listConnections = async (context: Context, scope: InstallScope): Promise<void> => {
  const { io, json } = context
  const found = findClients(context, scope)
  const rows = await Promise.all(
    found.map(async (client) => ({
      client,
      title: mcpClients[client].title,
      mcp: await readState(() => mcpState(context, client, scope)),
      hooks: await readState(() => hooksState(context, client, scope)),
    })),
  )
  if (json) return io.printJson(rows)
  if (rows.length === 0)
    return io.message(
      'No assistant that svc can configure was found on this machine.\nName one, such as: svc connect codex',
    )
  const cells = rows.map((row) => [row.client, row.title, row.mcp ?? '-', row.hooks ?? '-'])
  await io.printTable([['NAME', 'ASSISTANT', 'MCP SERVER', 'HOOKS'], ...cells])
  const open = rows.find(({ mcp, hooks }) => mcp === 'no' || hooks === 'no')
  if (open) io.info(`To connect one, run: svc connect ${open.client}`)
}

/** The clients with settings for the user or the project, or with a program on the PATH. */
const findClients = (context: Context, scope: InstallScope): ClientName[] => {
  const { environment, io } = context
  const installed = installedClients(scope, environment)
  return keysOf(mcpClients).filter((client) => {
    const { program }: McpClient = mcpClients[client]
    const path = settingsPath(mcpClients[client], scope, environment)
    if (installed.includes(client) || path === undefined) return path !== undefined
    if (existsSync(path) || (program && findCommand(program, io.runtime))) return true
    if (!isAssistantName(client)) return false
    return [assistants[client].home(environment), hooksPath(client, scope, environment)].some(
      existsSync,
    )
  })
}

const readState = async (read: () => Promise<State>): Promise<State> => {
  try {
    return await read()
  } catch {
    return 'unreadable'
  }
}

const mcpState = async (context: Context, client: ClientName, scope: InstallScope) => {
  const text = await readSettingsFile(pathOf(context, { client, scope }, 'mcp'))
  return (await hasEntry(text ?? '', mcpClients[client])) ? 'yes' : 'no'
}

const hooksState = async (context: Context, client: ClientName, scope: InstallScope) => {
  if (!isAssistantName(client)) return null
  const text = await readSettingsFile(pathOf(context, { client, scope }, 'hooks'))
  if (text === undefined) return 'no'
  if (hookSettings[client].form === 'plugin') return isOwnPlugin(text) ? 'yes' : 'no'
  const count = countHooks(text, client)
  if (count === 0) return 'no'
  return count === hookEvents(client).length ? 'yes' : 'partly'
}
