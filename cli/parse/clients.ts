import { type Command, Option } from 'commander'
import type { AppScope } from '../../shared/contract/app-scopes.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { collectValues } from './values.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const scopes = Object.keys({
  openid: true,
  profile: true,
  email: true,
  offline_access: true,
  'memory:read': true,
  'memory:write': true,
} satisfies Record<AppScope, true>)

const uriOptions = (command: Command, or: string): Command =>
  command
    .option(
      '--logout-redirect-uri <uri>',
      `where the browser may go after a sign-out; can be repeated${or}`,
      collectValues,
    )
    .option('--backchannel-logout-uri <uri>', `gets a logout token when a session ends${or}`)
    .option('--scopes <list>', `everything that it may request: ${scopes.join(', ')}`)

/** The apps that users sign in to with svc. */
export const clientCommands = (admin: Command, run: RunWithContext): void => {
  const clients = admin
    .command('clients')
    .description('Register, change and delete the apps that users sign in to with svc')
  const define = defineCommands(clients, run, () => import('../commands/admin/clients.ts'))

  define('list', 'List the apps, by name', (module) => module.runAdminClientsList)

  const create = define(
    'create <name>',
    'Register an app and print its ID and secret, which is shown only once',
    (module) => module.runAdminClientsCreate,
  ).requiredOption(
    '--redirect-uri <uri>',
    'where the browser returns after a sign-in; can be repeated',
    collectValues,
  )
  uriOptions(create, '')
    .option('--public', 'without a secret, for an app in a browser or on a device')
    .option('--skip-consent', 'do not ask users, because the app is one of your own')
    .addHelpText(
      'after',
      examples(
        'svc admin clients create Planner --redirect-uri https://planner.example.com/callback',
        'svc admin clients create Planner --redirect-uri com.example.planner:/back --public',
      ),
    )

  const edit = define(
    'edit <client>',
    'Change an app, by ID or name; a list replaces the previous one',
    (module) => module.runAdminClientsEdit,
  )
    .option('--name <name>', 'the new name')
    .option(
      '--redirect-uri <uri>',
      'where the browser returns after a sign-in; can be repeated',
      collectValues,
    )
  uriOptions(edit, ', or: none')
    .addOption(
      new Option(
        '--skip-consent',
        'do not ask users, because the app is one of your own',
      ).conflicts('askConsent'),
    )
    .option('--ask-consent', 'ask users what the app may do')
    .addHelpText('after', examples('svc admin clients edit Planner --scopes openid,memory:read'))

  define(
    'rotate <client>',
    'Replace the secret of an app and print the new one; the previous one ends at once',
    (module) => module.runAdminClientsRotate,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc admin clients rotate Planner'))

  define(
    'delete <client>',
    'Delete an app and end the access that users gave it',
    (module) => module.runAdminClientsDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc admin clients delete Planner'))
}

/** The apps that may act in an organization. */
export const organizationAppCommands = (orgs: Command, run: RunWithContext): void => {
  const apps = orgs.command('apps').description('List and set the apps that may use the memory')
  const define = defineCommands(apps, run, () => import('../commands/orgs/apps.ts'))
  define('list', 'List the apps and whether each may act here', (m) => m.runOrgsAppsList)
  define(
    'set [app...]',
    'Allow these apps, by ID or name, and no others; the others lose access at once',
    (module) => module.runOrgsAppsSet,
  )
    .option('--all', 'allow all apps, also later ones')
    .option('--none', 'allow no app')
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples('svc orgs apps set Planner --org Analytics', 'svc orgs apps set --all'),
    )
}
