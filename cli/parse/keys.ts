import type { Command } from 'commander'
import type { CreateKeyArgs } from '../commands/keys/create.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'

export const keyCommands = (program: Command, run: Run): void => {
  const keys = program.command('keys').description('Manage API keys')

  keys
    .command('create <name>')
    .description('Make an API key and print it, this once')
    .option('--expires-at <time>', 'when it ends by itself (ISO 8601)')
    .addHelpText('after', examples('svc keys create "build server" --expires-at 2030-01-01'))
    .action((name: string, options: Omit<CreateKeyArgs, 'name'>) =>
      run(async (context) =>
        (await import('../commands/keys/create.ts')).create(context, { name, ...options }),
      ),
    )

  keys
    .command('list')
    .description('List the API keys')
    .action(() => run(async (context) => (await import('../commands/keys/list.ts')).list(context)))

  keys
    .command('revoke <id>')
    .description('Revoke an API key at once')
    .action((id: string) =>
      run(async (context) => (await import('../commands/keys/revoke.ts')).revoke(context, { id })),
    )
}
