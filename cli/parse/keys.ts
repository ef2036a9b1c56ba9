import type { Command } from 'commander'
import type { CreateKeyArgs } from '../commands/keys/create.ts'
import type { RevokeKeyArgs } from '../commands/keys/revoke.ts'
import { examples } from './examples.ts'
import type { RunWithContext } from './run.ts'

export const keyCommands = (program: Command, run: RunWithContext): void => {
  const keys = program.command('keys').description('Manage API keys')

  keys
    .command('create <name>')
    .description('Create an API key and print it; it is shown only once')
    .option('--expires-at <time>', 'expiry time (ISO 8601)')
    .addHelpText('after', examples('svc keys create "build server" --expires-at 2030-01-01'))
    .action((name: string, options: Omit<CreateKeyArgs, 'name'>) =>
      run(async (context) =>
        (await import('../commands/keys/create.ts')).runKeysCreate(context, { name, ...options }),
      ),
    )

  keys
    .command('list')
    .description('List API keys')
    .action(() =>
      run(async (context) => (await import('../commands/keys/list.ts')).runKeysList(context)),
    )

  keys
    .command('revoke <id>')
    .description('Revoke an API key, by ID or name')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc keys revoke ID', 'svc keys revoke "build server" --yes'))
    .action((id: string, options: Omit<RevokeKeyArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/keys/revoke.ts')).runKeysRevoke(context, { id, ...options }),
      ),
    )
}
