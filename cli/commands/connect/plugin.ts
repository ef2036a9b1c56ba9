import source from '../../assistants/opencode-plugin.js' with { type: 'text' }
import type { HookCommand } from './hook-command.ts'

const [FIRST_LINE = ''] = source.split('\n')

/** The plugin for OpenCode with the command that starts this svc. */
export const pluginText = ({ command, variables }: HookCommand): string =>
  source
    .replace("const COMMAND = ['svc']", () => `const COMMAND = ${JSON.stringify(command)}`)
    .replace('const VARIABLES = {}', () => `const VARIABLES = ${JSON.stringify(variables)}`)

export const isOwnPlugin = (text: string): boolean => text.startsWith(FIRST_LINE)
