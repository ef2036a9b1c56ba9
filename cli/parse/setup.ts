import { Argument, type Command } from 'commander'
import { profileSettingNames } from '../settings.ts'
import { examples } from './examples.ts'
import { lazyCommands } from './lazy.ts'
import type { RunWithContext, RunWithoutContext } from './run.ts'

const consoleAreas = [
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
  lazyCommands(program, run, () => import('../commands/profiles.ts'))(
    'profiles',
    'List stored sign-ins',
    (module) => module.runProfiles,
  )

  configCommands(program, run)

  lazyCommands(program, run, () => import('../commands/open.ts'))(
    'open',
    'Open the console in the browser and print its address',
    (module) => module.runOpen,
  )
    .addArgument(new Argument('[area]', 'area of the console').choices(consoleAreas))
    .addHelpText('after', examples('svc open', 'svc open automation'))

  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(
      new Argument('[shell]', 'default: your login shell').choices(['bash', 'zsh', 'fish']),
    )
    .addHelpText('after', COMPLETION)
    .action((shell: string | undefined) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/completion/completion.ts')).runCompletion(invocation, { shell }),
      ),
    )

  program
    .command('__complete [words...]', { hidden: true })
    .action((words: string[]) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/completion/complete.ts')).runComplete(
          invocation,
          program,
          words,
        ),
      ),
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
    new Argument('<name>', 'name of the setting').choices(['profile', ...profileSettingNames])

  lazyCommands(config, run, () => import('../commands/config/list.ts'))(
    'list',
    'List the effective settings and their sources',
    (module) => module.runConfigList,
  )
  lazyCommands(config, run, () => import('../commands/config/get.ts'))(
    'get',
    'Print a setting',
    (module) => module.runConfigGet,
  ).addArgument(name())
  const change = lazyCommands(config, run, () => import('../commands/config/set.ts'))
  change('set', 'Store a setting for the current profile', (module) => module.runConfigSet)
    .addArgument(name())
    .argument('<value>', 'new value')
    .addHelpText('after', examples('svc config set depth deep', 'svc config set profile work'))
  change('unset', 'Remove a setting', (module) => module.runConfigUnset).addArgument(name())
  lazyCommands(config, run, () => import('../commands/config/path.ts'))(
    'path',
    'Print the path of the settings file',
    (module) => module.runConfigPath,
  )
}
