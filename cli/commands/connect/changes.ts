import {
  type ClientName,
  type InstallScope,
  type McpClient,
  mcpClients,
} from '../../../shared/mcp-clients.ts'
import { settingsText } from '../../../shared/mcp-settings.ts'
import { type AssistantName, isAssistantName } from '../../assistants/clients.ts'
import { hookSettings, hooksPath } from '../../assistants/hook-settings.ts'
import type { Context } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { settingsPath } from '../mcp/clients.ts'
import { entryOf } from '../mcp/entry.ts'
import { mergeEntry, removeEntry } from '../mcp/merge.ts'
import { readSettingsFile } from '../mcp/settings-file.ts'
import { SettingsFileError } from '../mcp/settings-format.ts'
import { hookCommandOf, shellCommand } from './hook-command.ts'
import { hooksOf, mergeHooks, removeHooks } from './hooks.ts'
import { isOwnPlugin, pluginText } from './plugin.ts'

/** The MCP server, or the hooks. */
export type ConnectPart = 'mcp' | 'hooks'

/** The choice of a command. */
export interface ConnectSelection {
  client: ClientName
  scope: InstallScope
  parts: readonly ConnectPart[]
}

/** A settings file before and after a command; undefined if it does not exist. */
export interface FileChange {
  path: string
  before: string | undefined
  after: string | undefined
  parts: ConnectPart[]
}

/** A change to one part. It returns undefined to delete the file. */
interface Edit {
  part: ConnectPart
  path: string
  /** How to make the change by hand, for the error. */
  manual: string
  edit: (text: string | undefined) => Promise<string | undefined> | string | undefined
}

/** The parts that an assistant can have. */
export const partsOf = (client: ClientName): ConnectPart[] =>
  isAssistantName(client) ? ['mcp', 'hooks'] : ['mcp']

/** The files that change when svc is added. @throws CliError */
export const planConnect = (
  context: Context,
  selection: ConnectSelection,
): Promise<FileChange[]> => {
  const { client, scope, parts } = selection
  const edits = parts.map((part): Edit => {
    const path = pathOf(context, selection, part)
    if (part === 'hooks') return hooksEdit(context, expectAssistant(client), scope, path)
    const settings: McpClient = mcpClients[client]
    const entry = entryOf(client, { scope }, context)
    return {
      part,
      path,
      manual: `Repair the file, or add this to it manually:\n${settingsText(settings, entry)}`,
      edit: (text = '') => mergeEntry(text, settings, entry),
    }
  })
  return applyEdits(edits)
}

const hooksEdit = (
  context: Context,
  name: AssistantName,
  scope: InstallScope,
  path: string,
): Edit => {
  const command = hookCommandOf(context, scope)
  const own = { part: 'hooks' as const, path }
  if (hookSettings[name].form === 'plugin')
    return {
      ...own,
      manual: 'Rename the file, then run the command again.',
      edit(text) {
        if (text?.trim() && !isOwnPlugin(text))
          throw new SettingsFileError('it is not the plugin of svc')
        return pluginText(command)
      },
    }
  const inShell = shellCommand(command, name, context.environment.platform)
  return {
    ...own,
    manual: `Repair the file, or add this to it manually:\n${JSON.stringify(hooksOf(name, inShell))}`,
    edit: (text = '') => mergeHooks(text, name, inShell),
  }
}

/** The files that change when svc is removed. @throws CliError */
export const planDisconnect = (
  context: Context,
  selection: ConnectSelection,
): Promise<FileChange[]> => {
  const { client, parts } = selection
  const edits = parts.map((part): Edit => {
    const path = pathOf(context, selection, part)
    return {
      part,
      path,
      manual: 'Repair the file, or remove svc from it manually.',
      edit(text) {
        if (text === undefined) return undefined
        if (part === 'mcp') return removeEntry(text, mcpClients[client])
        const name = expectAssistant(client)
        if (hookSettings[name].form !== 'plugin') return removeHooks(text, name)
        return isOwnPlugin(text) ? undefined : text
      },
    }
  })
  return applyEdits(edits)
}

/** The file of a part. @throws CliError if the assistant has none. */
export const pathOf = (
  { environment }: Pick<Context, 'environment'>,
  { client, scope }: Pick<ConnectSelection, 'client' | 'scope'>,
  part: ConnectPart,
): string => {
  if (part === 'hooks') return hooksPath(expectAssistant(client), scope, environment)
  const path = settingsPath(mcpClients[client], scope, environment)
  if (path) return path
  throw usageError(
    `${mcpClients[client].title} does not support project settings.`,
    `Run: svc connect ${client}`,
  )
}

const expectAssistant = (client: ClientName): AssistantName => {
  if (isAssistantName(client)) return client
  throw usageError(
    `${mcpClients[client].title} has no hooks that can run svc.`,
    `To add the MCP server, run: svc connect ${client}`,
  )
}

/** Applies the edits in memory. Two parts may have the same file. */
const applyEdits = async (edits: readonly Edit[]): Promise<FileChange[]> => {
  const files = new Map<string, FileChange>()
  for (const { part, path, manual, edit } of edits) {
    const text = files.has(path) ? undefined : await readSettingsFile(path)
    const file = files.get(path) ?? { path, before: text, after: text, parts: [] }
    files.set(path, file)
    file.parts.push(part)
    try {
      file.after = await edit(file.after)
    } catch (cause) {
      if (!(cause instanceof SettingsFileError)) throw cause
      throw new CliError(`${path} was not changed: ${cause.message}.`, manual, { cause })
    }
  }
  return [...files.values()]
}
