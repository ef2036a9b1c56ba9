import { Argument, type Command, Option } from 'commander'
import type { LogLevel } from '../../shared/contract/logs.ts'
import type { SettingGroup, TestedGroup } from '../../shared/contract/server-settings.ts'
import { TIER_NAMES } from '../../shared/tiers.ts'
import { features } from '../features.ts'
import { clientCommands } from './clients.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { parsePositiveInteger, reasonOption } from './values.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const logLevels = Object.keys({
  trace: true,
  debug: true,
  info: true,
  warn: true,
  error: true,
  fatal: true,
} satisfies Record<LogLevel, true>)
const testedGroups = Object.keys({
  mail: true,
  models: true,
  transcription: true,
  sign_in: true,
  backup: true,
} satisfies Record<TestedGroup, true>)
const settingGroups = [
  ...testedGroups,
  ...Object.keys({ server: true } satisfies Record<Exclude<SettingGroup, TestedGroup>, true>),
]
export const adminCommands = (program: Command, run: RunWithContext): void => {
  const admin = program.command('admin').description('Administer the server')
  userCommands(admin, run)
  engineCommands(admin, run)
  signingKeyCommands(admin, run)
  clientCommands(admin, run)
  settingCommands(admin, run)
  const logs = defineCommands(admin, run, () => import('../commands/admin/logs.ts'))
  logs('logs', 'Print the last lines of the log of the server', (module) => module.runAdminLogs)
    .addOption(new Option('--level <level>', 'lowest level').choices(logLevels))
    .option('--search <text>', 'only lines with these words')
    .option('--limit <number>', 'maximum number, 1-500 (default 100)', parsePositiveInteger)
    .addHelpText('after', examples('svc admin logs --level warn'))
  const define = defineCommands(admin, run, () => import('../commands/admin/jobs.ts'))
  define('jobs', 'Print the queues and the last failures', (module) => module.runAdminJobs)
  for (const { adminCommands: add } of features) add?.(admin, run)
}

const userCommands = (admin: Command, run: RunWithContext): void => {
  const load = () => import('../commands/admin/users.ts')
  const users = admin.command('users').description('List, create, change and delete users')
  const define = defineCommands(users, run, load)

  define('list', 'List users, newest first', (module) => module.runAdminUsersList)
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--search <text>', 'only with this text in email, username or name')
    .option('--cursor <cursor>', 'continue at this cursor')
    .addHelpText('after', examples('svc admin users list --search example.com'))
  define('show <user>', 'Print a user, by ID, email or username', (m) => m.runAdminUsersShow)
  define('disable <user>', 'Disable a user and end their sessions', (m) => m.runAdminUsersDisable)
    .addOption(reasonOption().makeOptionMandatory())
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples('svc admin users disable ben@example.com --reason "Sends spam."'),
    )
  define('enable <user>', 'Enable a disabled user', (module) => module.runAdminUsersEnable)
    .addOption(reasonOption())
    .addHelpText('after', examples('svc admin users enable ben@example.com'))

  define('create <email>', 'Create a user, who chooses a password', (m) => m.runAdminUsersCreate)
    .addOption(reasonOption().makeOptionMandatory())
    .addHelpText(
      'after',
      examples('svc admin users create ben@example.com --reason "Starts on Monday."'),
    )
  define('delete <user>', 'Delete a user and all their data', (m) => m.runAdminUsersDelete)
    .addOption(reasonOption().makeOptionMandatory())
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples('svc admin users delete ben@example.com --reason "Left on Friday."'),
    )
  define(
    'set-email <user> <email>',
    'Change the email address of a user',
    (m) => m.runAdminUsersSetEmail,
  )
    .addOption(reasonOption().makeOptionMandatory())
    .addHelpText(
      'after',
      examples('svc admin users set-email ben ben@example.org --reason "Lost the mailbox."'),
    )
  define(
    'reset-second-factor <user>',
    'Remove a lost second factor and the passkeys, and end the sessions',
    (m) => m.runAdminUsersResetSecondFactor,
  )
    .addOption(reasonOption().makeOptionMandatory())
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples('svc admin users reset-second-factor ben --reason "Lost the phone."'),
    )

  const tier = admin.command('tier').description('Set the tier of a user')
  defineCommands(tier, run, load)('set <user>', 'Set the tier of a user', (m) => m.runAdminTierSet)
    .addArgument(
      new Argument('<tier>', 'new tier; none removes it').choices([...TIER_NAMES, 'none']),
    )
    .addOption(reasonOption())
    .addHelpText('after', examples(`svc admin tier set ben@example.com ${TIER_NAMES[1]}`))
}

const signingKeyCommands = (admin: Command, run: RunWithContext): void => {
  const keys = admin.command('keys').description('List and rotate the keys that sign access tokens')
  const define = defineCommands(keys, run, () => import('../commands/admin/keys.ts'))
  define('list', 'List the keys, the newest first', (module) => module.runAdminKeysList)
  define('rotate', 'Publish the next key, which signs later', (m) => m.runAdminKeysRotate)
    .option('--now', 'for a key that leaked: sign at once, and end the others with their tokens')
    .addOption(reasonOption())
    .option('--yes', 'skip the confirmation of --now')
    .addHelpText('after', examples('svc admin keys rotate --reason "Yearly rotation."'))
}

const engineCommands = (admin: Command, run: RunWithContext): void => {
  const reason = () => reasonOption().makeOptionMandatory()
  const engines = admin
    .command('engines')
    .description('List, enable and disable the engines that process memories')
  const engine = defineCommands(engines, run, () => import('../commands/admin/engines.ts'))
  engine('list', 'List the engines', (module) => module.runAdminEnginesList)
  engine('enable <engine>', 'Enable an engine', (m) => m.runAdminEnginesEnable)
    .addOption(reason())
    .addHelpText('after', examples('svc admin engines enable graph --reason "The model is back."'))
  engine(
    'disable <engine>',
    'Disable an engine; its work is queued',
    (m) => m.runAdminEnginesDisable,
  )
    .addOption(reason())
    .addHelpText('after', examples('svc admin engines disable graph --reason "New model."'))
}

const settingCommands = (admin: Command, run: RunWithContext): void => {
  const settings = admin
    .command('settings')
    .description('List, set, unset and test the settings that change while the server runs')
  const define = defineCommands(settings, run, () => import('../commands/admin/settings.ts'))
  define('list', 'List the settings', (module) => module.runAdminSettingsList)
    .addOption(new Option('--group <group>', 'only those of a group').choices(settingGroups))
    .addHelpText('after', examples('svc admin settings list --group mail'))
  define(
    'set <values...>',
    'Set settings as NAME=VALUE, together; NAME=- reads the value from stdin',
    (module) => module.runAdminSettingsSet,
  ).addHelpText('after', examples('svc admin settings set SVC_MAIL_FROM=svc@example.com'))
  define(
    'unset <names...>',
    'Restore defaults',
    (module) => module.runAdminSettingsUnset,
  ).addHelpText('after', examples('svc admin settings unset SVC_MAIL_FROM'))
  define('test', 'Test settings, with values that are not stored', (m) => m.runAdminSettingsTest)
    .addArgument(new Argument('<group>', 'what is tried').choices(testedGroups))
    .argument('[values...]', 'values as NAME=VALUE')
    .addHelpText('after', examples('svc admin settings test mail'))
}
