import type { Command } from 'commander'
import { examples } from './examples.ts'
import { lazyCommands } from './lazy.ts'
import type { RunWithContext } from './run.ts'

export const keyCommands = (program: Command, run: RunWithContext): void => {
  const keys = program.command('keys').description('Manage API keys')

  lazyCommands(keys, run, () => import('../commands/keys/create.ts'))(
    'create <name>',
    'Create an API key and print it; it is shown only once',
    (module) => module.runKeysCreate,
  )
    .option('--expires-at <time>', 'expiry time (ISO 8601)')
    .addHelpText('after', examples('svc keys create "build server" --expires-at 2030-01-01'))

  lazyCommands(keys, run, () => import('../commands/keys/list.ts'))(
    'list',
    'List API keys',
    (module) => module.runKeysList,
  )

  lazyCommands(keys, run, () => import('../commands/keys/revoke.ts'))(
    'revoke <id>',
    'Revoke an API key, by ID or name',
    (module) => module.runKeysRevoke,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc keys revoke ID', 'svc keys revoke "build server" --yes'))
}
