import { Argument, type Command } from 'commander'
import { profileSettings } from '../settings.ts'
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
    .description('Look whether everything is as it should be, and say what to do')
    .action(() =>
      bare(async (given) => (await import('../commands/doctor/doctor.ts')).doctor(given)),
    )

  program
    .command('completion')
    .description('Print what has your shell complete svc')
    .addArgument(new Argument('[shell]', 'your own if left out').choices(['bash', 'zsh', 'fish']))
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

const configCommands = (program: Command, run: Run): void => {
  const config = program.command('config').description('Settle things once, for a profile')
  const name = () => new Argument('<name>', 'what').choices(['profile', ...profileSettings])

  config
    .command('list')
    .description('Say what is in force, and where it is from')
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
    .description('Settle something')
    .addArgument(name())
    .argument('<value>')
    .action((setting: string, value: string) =>
      run(async (context) =>
        (await import('../commands/config/set.ts')).set(context, { name: setting, value }),
      ),
    )

  config
    .command('unset')
    .description('Take a setting back')
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
