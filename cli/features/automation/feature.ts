import { Argument, type Command, Option } from 'commander'
import type { RegistryType } from '../../../shared/contract/registry.ts'
import type { SignalType } from '../../../shared/contract/senses.ts'
import { type CliFeature, idsOf } from '../../feature.ts'
import { defineCommands, type RunWithContext } from '../../parse/define.ts'
import { examples } from '../../parse/examples.ts'
import { collectValues, parsePositiveInteger, reasonOption } from '../../parse/values.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const signalTypes = Object.keys({
  number: true,
  boolean: true,
  text: true,
  readings: true,
  location: true,
  event: true,
  presence: true,
  battery: true,
} satisfies Record<SignalType, true>)

const handlerTypes = Object.keys({
  action_types: true,
  trigger_types: true,
  channel_types: true,
  condition_ops: true,
  signal_types: true,
} satisfies Record<RegistryType, true>)

const reflexCommands = (program: Command, run: RunWithContext): void => {
  const reflexes = program.command('reflexes').description('Manage reflexes')
  const define = defineCommands(reflexes, run, () => import('./reflexes.ts'))

  define('list', 'List your reflexes', (module) => module.runReflexesList)
  define('show <reflex>', 'Print a reflex, by ID or name', (module) => module.runReflexesShow)
  define(
    'create <file>',
    'Create a reflex from a JSON file and print its ID; - reads from stdin',
    (module) => module.runReflexesCreate,
  ).addHelpText('after', REFLEX_FILE)
  define('enable <reflex>', 'Enable a reflex, by ID or name', (m) => m.runReflexesEnable)
  define('disable <reflex>', 'Disable a reflex, by ID or name', (m) => m.runReflexesDisable)
  define('delete <reflex>', 'Delete a reflex and its firings', (module) => module.runReflexesDelete)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc reflexes delete "Too hot"'))
  define(
    'firings <reflex>',
    'List the firings of a reflex, newest first',
    (module) => module.runReflexesFirings,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--before <id>', 'continue after this firing')
}

const REFLEX_FILE = `
The file has the fields of POST /api/reflexes:
  {
    "name": "Too hot",
    "trigger": { "type": "signal", "signal_type": "readings" },
    "conditions": [{ "op": "gt", "path": "value.temperature", "value": 30 }],
    "action": { "type": "notify", "channel": "inbox", "text": "It is {{value.temperature}} degrees." }
  }
${examples('svc reflexes create too-hot.json', 'svc reflexes create - < too-hot.json')}`

const deviceCommands = (program: Command, run: RunWithContext): void => {
  const devices = program
    .command('devices')
    .description('Manage the devices whose signals fire reflexes')
  const define = defineCommands(devices, run, () => import('./devices.ts'))

  define('list', 'List your devices', (module) => module.runDevicesList)
  define('create <name>', 'Create a device and print its ID', (module) => module.runDevicesCreate)
    .option('--capability <text>', 'what it measures or reports; can be repeated', collectValues)
    .addHelpText('after', examples('svc devices create Greenhouse --capability temperature'))
  define(
    'signal <device> <value>',
    'Send a signal of a device, by ID or name',
    (module) => module.runDevicesSignal,
  )
    .addOption(
      new Option('--type <type>', 'type of the value (default: from the value)').choices(
        signalTypes,
      ),
    )
    .option('--occurred-at <time>', 'when it was measured (ISO 8601; default now)')
    .addHelpText(
      'after',
      examples(
        'svc devices signal Greenhouse 21.5',
        `svc devices signal Greenhouse '{"temperature":31.5}'`,
        'svc devices signal Greenhouse 80 --type battery',
      ),
    )
  define('delete <device>', 'Delete a device and its signals', (module) => module.runDevicesDelete)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc devices delete Greenhouse'))
}

const reminderCommands = (program: Command, run: RunWithContext): void => {
  const reminders = program.command('reminders').description('List, close and delete reminders')
  const define = defineCommands(reminders, run, () => import('./reminders.ts'))

  define(
    'list',
    'List the reminders that are due, and those to come',
    (module) => module.runRemindersList,
  )
  define('done <reminder>', 'Close a reminder, by ID or text', (module) => module.runRemindersDone)
  define('snooze <reminder>', 'Hide a reminder for a day', (module) => module.runRemindersSnooze)
  define(
    'delete <reminder>',
    'Delete the memory that a reminder comes from',
    (module) => module.runRemindersDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc reminders delete ID --yes'))
}

const handlerCommands = (admin: Command, run: RunWithContext): void => {
  const reason = () => reasonOption().makeOptionMandatory()
  const handlers = admin
    .command('handlers')
    .description('List, enable and disable the handlers of reflexes')
  const handler = defineCommands(handlers, run, () => import('./handlers.ts'))
  const type = (usage: string) => new Argument(usage, 'type of handler').choices(handlerTypes)
  handler('list', 'List the handlers', (m) => m.runAdminHandlersList).addArgument(type('[type]'))
  handler('enable', 'Enable a handler', (module) => module.runAdminHandlersEnable)
    .addArgument(type('<type>'))
    .argument('<name>', 'name of the handler')
    .addOption(reason())
    .addHelpText(
      'after',
      examples('svc admin handlers enable action_types webhook --reason "Unblocked."'),
    )
  handler('disable', 'Disable a handler; its reflexes wait', (m) => m.runAdminHandlersDisable)
    .addArgument(type('<type>'))
    .argument('<name>', 'name of the handler')
    .addOption(reason())
    .addHelpText(
      'after',
      examples('svc admin handlers disable action_types webhook --reason "Blocked."'),
    )
}

export const automation: CliFeature = {
  name: 'automation',
  commands(program, run) {
    program.commandsGroup('Automation:')
    reflexCommands(program, run)
    deviceCommands(program, run)
    reminderCommands(program, run)
  },
  adminCommands: handlerCommands,
  ids: {
    '<device>': async (context) => idsOf(context, (await import('./devices.ts')).devices),
    '<reflex>': async (context) => idsOf(context, (await import('./reflexes.ts')).reflexes),
    '<reminder>': async (context) => idsOf(context, (await import('./reminders.ts')).reminders),
  },
  status: {
    fields: ['reminders_due', 'next_reminder'],
    read: async (client) => (await import('./reminders.ts')).readStatus(client),
  },
}
