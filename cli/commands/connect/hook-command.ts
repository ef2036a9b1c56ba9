import { DEFAULT_PROFILE } from '../../../mcp/stdio/local-config.ts'
import type { InstallScope } from '../../../shared/mcp-clients.ts'
import type { AssistantName } from '../../assistants/clients.ts'
import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { quoteWord } from '../../executable.ts'
import { commandOf } from '../mcp/entry.ts'

/** How an assistant starts this svc, with the server and the sign-in of the context. */
export interface HookCommand {
  command: string[]
  variables: Record<string, string>
}

/** @throws CliError for `--org`, which a hook does not have. */
export const hookCommandOf = (context: Context, scope: InstallScope): HookCommand => {
  const { environment, profileName, sources, url } = context
  if (sources.org === '--org')
    throw usageError(
      'Hooks use the organization of the profile, not of --org.',
      'Choose it for the profile (svc orgs switch NAME), or add --only mcp.',
    )
  const isExplicitUrl = sources.url === '--url' || sources.url === 'SVC_URL'
  const { explicitConfigDir } = environment
  return {
    command: commandOf(context, scope),
    variables: {
      ...(explicitConfigDir && { SVC_CONFIG_DIR: explicitConfigDir }),
      ...(profileName !== DEFAULT_PROFILE && { SVC_PROFILE: profileName }),
      ...(isExplicitUrl && { SVC_URL: url }),
    },
  }
}

/** The command of a hook for the shell of the assistant, which sets no variables on Windows. */
export const shellCommand = (
  { command, variables }: HookCommand,
  name: AssistantName,
  platform: string,
): string => {
  const isWindows = platform === 'win32'
  const quote = isWindows ? quoteForWindows : quoteWord
  const settings = Object.entries(variables).map(([key, value]) => `${key}=${quoteWord(value)}`)
  return [...(isWindows ? [] : settings), ...command.map(quote), 'hook', name].join(' ')
}

const quoteForWindows = (word: string): string => (/\s/.test(word) ? `"${word}"` : word)
