import { type Command, Option } from 'commander'
import type { Scope } from '../../shared/contract/scopes.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const scopes = Object.keys({
  'memory:read': true,
  'memory:write': true,
  chat: true,
  'account:read': true,
  account: true,
  admin: true,
} satisfies Record<Scope, true>)

export const keyCommands = (program: Command, run: RunWithContext): void => {
  const keys = program.command('keys').description('Manage API keys')

  const define = defineCommands(keys, run, () => import('../commands/keys.ts'))
  define(
    'create <name>',
    'Create an API key and print it; it is shown only once',
    (module) => module.runKeysCreate,
  )
    .option('--expires-at <time>', 'expiry time (ISO 8601)')
    .option('--scopes <list>', `everything that it may do (default: all): ${scopes.join(', ')}`)
    .option('--allow <list>', 'the addresses and ranges that it may be used from (default: all)')
    .addOption(
      new Option(
        '--for-agent',
        'create it with the key of svc login: it has no more scopes, and ends with it',
      ).conflicts(['expiresAt', 'allow']),
    )
    .addOption(
      new Option('--ttl <duration>', 'how long a key for an agent is valid (default: 1h)').implies({
        forAgent: true,
      }),
    )
    .addHelpText(
      'after',
      examples(
        'svc keys create "build server" --expires-at 2030-01-01',
        'svc keys create reader --scopes memory:read --allow 10.0.0.0/8',
        'svc keys create helper --for-agent --ttl 1h --scopes memory:read,memory:write',
      ),
    )

  define('list', 'List API keys', (module) => module.runKeysList)

  define(
    'edit <id>',
    'Rename, limit, pause or resume an API key, by ID or name',
    (module) => module.runKeysEdit,
  )
    .option('--name <name>', 'the new name')
    .option('--scopes <list>', 'everything that it may do, or: all')
    .option('--allow <list>', 'the addresses and ranges that it may be used from, or: all')
    .addOption(new Option('--pause', 'refuse its requests').conflicts('resume'))
    .option('--resume', 'end the pause')
    .addHelpText(
      'after',
      examples('svc keys edit "build server" --scopes memory:read', 'svc keys edit ID --pause'),
    )

  define('revoke <id>', 'Revoke an API key, by ID or name', (module) => module.runKeysRevoke)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc keys revoke ID', 'svc keys revoke "build server" --yes'))
}
