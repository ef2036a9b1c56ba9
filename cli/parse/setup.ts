import { Argument, type Command } from 'commander'
import { profileSettings } from '../settings.ts'
import { examples } from './examples.ts'
import type { Run, RunBare } from './run.ts'

export const setupCommands = (program: Command, run: Run, bare: RunBare): void => {
  program
    .command('profiles')
    .description('List the stored sign-ins')
    .action(() =>
      run(async (context) => (await import('../commands/profiles.ts')).profiles(context)),
    )

  configCommands(program, run)

  program
    .command('doctor')
    .description('Check files, server, credential and assistants, and say what to mend')
    .action(() =>
      bare(async (given) => (await import('../commands/doctor/doctor.ts')).doctor(given)),
    )

  program
    .command('completion')
    .description('Print the completion script of a shell')
    .addArgument(new Argument('[shell]', 'your own if left out').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', COMPLETION)
    .action((shell: string | undefined) =>
      bare(async (given) =>
        (await import('../commands/completion/completion.ts')).completion(given, { shell }),
      ),
    )

  program
    .command('__complete [words...]', { hidden: true })
    .action((words: string[]) =>
      bare(async (given) =>
        (await import('../commands/completion/complete.ts')).complete(given, program, words),
      ),
    )
}

const COMPLETION = `
Where it goes:
  bash  eval "$(svc completion bash)"     in ~/.bashrc
  zsh   source <(svc completion zsh)      in ~/.zshrc, after compinit
  fish  svc completion fish | source      in ~/.config/fish/config.fish`

const configCommands = (program: Command, run: Run): void => {
  const config = program
    .command('config')
    .description('Keep settings: server, organization, provider, depth, profile')
  const name = () => new Argument('<name>', 'the setting').choices(['profile', ...profileSettings])

  config
    .command('list')
    .description('List what is in force, and where each value is from')
    .action(() =>
      run(async (context) => (await import('../commands/config/list.ts')).list(context)),
    )

  config
    .command('get')
    .description('Print one setting')
    .addArgument(name())
    .action((setting: string) =>
      run(async (context) =>
        (await import('../commands/config/get.ts')).get(context, { name: setting }),
      ),
    )

  config
    .command('set')
    .description('Keep a setting, for the profile in force')
    .addArgument(name())
    .argument('<value>', 'what it is from now on')
    .addHelpText('after', examples('svc config set depth deep', 'svc config set profile work'))
    .action((setting: string, value: string) =>
      run(async (context) =>
        (await import('../commands/config/set.ts')).set(context, { name: setting, value }),
      ),
    )

  config
    .command('unset')
    .description('Forget a setting')
    .addArgument(name())
    .action((setting: string) =>
      run(async (context) =>
        (await import('../commands/config/set.ts')).unset(context, { name: setting }),
      ),
    )

  config
    .command('path')
    .description('Print where the settings are kept')
    .action(() =>
      run(async (context) => (await import('../commands/config/path.ts')).path(context)),
    )
}
