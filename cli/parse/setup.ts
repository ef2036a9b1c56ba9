import { Argument, type Command } from 'commander'
import { keysOf } from '../../shared/objects.ts'
import { profileSettingNames, settingSynonyms } from '../settings.ts'
import { defineCommands, type RunWithContext, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'

const consoleAreas = [
  'activity',
  'memories',
  'graph',
  'chat',
  'connect',
  'people',
  'automation',
  'usage',
  'settings',
  'admin',
]

export const setupCommands = (
  program: Command,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): void => {
  defineCommands(program, run, () => import('../commands/profiles.ts'))(
    'profiles',
    'List stored sign-ins',
    (module) => module.runProfiles,
  )

  configCommands(program, run)

  defineCommands(program, run, () => import('../commands/open.ts'))(
    'open',
    'Open the console in the browser and print its address',
    (module) => module.runOpen,
  )
    .addArgument(new Argument('[area]', 'area of the console').choices(consoleAreas))
    .addHelpText('after', examples('svc open', 'svc open automation'))

  defineCommands(program, runWithoutContext, () => import('../commands/completion/completion.ts'))(
    'completion',
    'Print a shell completion script',
    (module) => module.runCompletion,
  )
    .addArgument(
      new Argument('[shell]', 'default: your login shell').choices(['bash', 'zsh', 'fish']),
    )
    .addHelpText('after', COMPLETION)

  const complete = () => import('../commands/completion/complete.ts')
  defineCommands(program, runWithoutContext, complete)(
    '__complete [words...]',
    '',
    (module) =>
      (invocation, { words }: { words: string[] }) =>
        module.runComplete(invocation, program, words),
    { hidden: true },
  )
}

const COMPLETION = `
Installation:
  bash  eval "$(svc completion bash)"     in ~/.bashrc
  zsh   source <(svc completion zsh)      in ~/.zshrc, after compinit
  fish  svc completion fish | source      in ~/.config/fish/config.fish`

const configCommands = (program: Command, run: RunWithContext): void => {
  const config = program
    .command('config')
    .description('Manage settings: server, organization, provider, depth, profile')
  const name = () =>
    new Argument('<name>', 'name of the setting').choices([
      ...['profile', ...profileSettingNames],
      ...keysOf(settingSynonyms),
    ])

  const setting = defineCommands(config, run, () => import('../commands/config.ts'))
  setting('list', 'List the effective settings and their sources', (module) => module.runConfigList)
  setting('get', 'Print a setting', (module) => module.runConfigGet).addArgument(name())
  setting('set', 'Store a setting for the current profile', (module) => module.runConfigSet)
    .addArgument(name())
    .argument('<value>', 'new value')
    .addHelpText('after', examples('svc config set depth deep', 'svc config set profile work'))
  setting('unset', 'Remove a setting', (module) => module.runConfigUnset).addArgument(name())
  setting('path', 'Print the path of the settings file', (module) => module.runConfigPath)
}
