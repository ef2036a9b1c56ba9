import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'

export const keyCommands = (program: Command, run: RunWithContext): void => {
  const keys = program.command('keys').description('Manage API keys')

  const define = defineCommands(keys, run, () => import('../commands/keys.ts'))
  define(
    'create <name>',
    'Create an API key and print it; it is shown only once',
    (module) => module.runKeysCreate,
  )
    .option('--expires-at <time>', 'expiry time (ISO 8601)')
    .addHelpText('after', examples('svc keys create "build server" --expires-at 2030-01-01'))

  define('list', 'List API keys', (module) => module.runKeysList)

  define('revoke <id>', 'Revoke an API key, by ID or name', (module) => module.runKeysRevoke)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc keys revoke ID', 'svc keys revoke "build server" --yes'))
}
