import { type ClientName, mcpClients } from '../../../shared/mcp-clients.ts'
import type { Context } from '../../context.ts'
import { parse as parseJson } from '../mcp/jsonc.ts'
import { readSettingsFile } from '../mcp/settings-file.ts'
import { isTable, splitMark } from '../mcp/settings-format.ts'
import { parse as parseToml } from '../mcp/toml.ts'
import { type ConnectPart, type ConnectSelection, pathOf } from './changes.ts'

interface Switch {
  /** The part whose file has the setting. */
  part: ConnectPart
  path: readonly string[]
  /** The value that turns hooks off. */
  off: boolean
}

const switches: Partial<Record<ClientName, readonly Switch[]>> = {
  codex: [
    { part: 'mcp', path: ['features', 'hooks'], off: false },
    { part: 'mcp', path: ['features', 'codex_hooks'], off: false },
  ],
  'claude-code': [{ part: 'hooks', path: ['disableAllHooks'], off: true }],
  'gemini-cli': [{ part: 'hooks', path: ['hooksConfig', 'enabled'], off: false }],
}

/** The setting by which the user has turned off the hooks of an assistant; undefined if they are on. */
export const findDisabling = async (
  context: Context,
  selection: Pick<ConnectSelection, 'client' | 'scope'>,
): Promise<{ path: string; setting: string } | undefined> => {
  for (const { part, path: names, off } of switches[selection.client] ?? []) {
    const path = pathOf(context, selection, part)
    const [, text] = splitMark((await readSettingsFile(path)) ?? '')
    const isToml = part === 'mcp' && mcpClients[selection.client].format === 'toml'
    const value = names.reduce<unknown>(
      (table, name) => (isTable(table) ? table[name] : undefined),
      isToml ? parseToml(text) : parseJson(text),
    )
    if (value === off) return { path, setting: `${names.join('.')} = ${off}` }
  }
  return undefined
}
