import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AssistantName } from '../../cli/assistants/clients.ts'
import { shellCommand } from '../../cli/commands/connect/hook-command.ts'
import { hooksOf } from '../../cli/commands/connect/hooks.ts'
import { pluginText } from '../../cli/commands/connect/plugin.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { ENTRY_NAME, mcpClients } from '../../shared/mcp-clients.ts'

const DESCRIPTION = 'Remembers conversations on a server of your own, and recalls what matters'
const { version } = packageJson

type Files = Record<string, string>

/** Writes the plugins of all assistants that have a form for them. @returns their directories. */
export const writePlugins = async (directory: string, command: string): Promise<string[]> => {
  const plugins: Partial<Record<AssistantName, Files>> = {
    'claude-code': claudeCodePlugin(command),
    'gemini-cli': geminiExtension(command),
    opencode: openCodePlugin(command),
  }
  const written = Object.entries(plugins).map(async ([name, files]) => {
    const path = join(directory, name)
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    }
    return path
  })
  return Promise.all(written)
}

/** A directory for `claude --plugin-dir`, or for an entry of a marketplace. */
const claudeCodePlugin = (command: string): Files => ({
  '.claude-plugin/plugin.json': json({
    name: ENTRY_NAME,
    version,
    description: DESCRIPTION,
    author: { name: 'svc' },
  }),
  '.mcp.json': json({ mcpServers: serverOf('claude-code', command) }),
  'hooks/hooks.json': json(hooksFor('claude-code', command)),
})

/** A directory for `gemini extensions install` or `link`. */
const geminiExtension = (command: string): Files => ({
  'gemini-extension.json': json({
    name: ENTRY_NAME,
    version,
    description: DESCRIPTION,
    mcpServers: serverOf('gemini-cli', command),
  }),
  'hooks/hooks.json': json(hooksFor('gemini-cli', command)),
})

/** A package for the list `plugin` of the settings, or a file for the directory of plugins. */
const openCodePlugin = (command: string): Files => ({
  'package.json': json({
    name: 'svc-opencode',
    version,
    description: DESCRIPTION,
    private: true,
    type: 'module',
    main: 'svc.js',
  }),
  'svc.js': pluginText({ command: [command], variables: {} }),
})

const serverOf = (name: 'claude-code' | 'gemini-cli', command: string) => ({
  [ENTRY_NAME]: mcpClients[name].entry({ kind: 'stdio', command, args: ['mcp', 'run'], env: {} }),
})

const hooksFor = (name: AssistantName, command: string): object =>
  hooksOf(name, shellCommand({ command: [command], variables: {} }, name, process.platform))

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
