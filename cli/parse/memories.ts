import { type Command, Option } from 'commander'
import { MEMORY_ORDERS } from '../../shared/contract/memory-lists.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { collectValues, parseNumber, parsePositiveInteger, typeOption } from './values.ts'

export const memoryCommands = (program: Command, run: RunWithContext): void => {
  const memories = program
    .command('memories')
    .description('List, show, edit, delete and restore memories')
  editingCommands(memories, run)

  defineCommands(memories, run, () => import('../commands/memories/restore.ts'))(
    'restore <id>',
    'Restore a deleted memory',
    (module) => module.runMemoriesRestore,
  )

  defineCommands(memories, run, () => import('../commands/memories/history.ts'))(
    'history <id>',
    'Print the changes to a memory, also a deleted one',
    (module) => module.runMemoriesHistory,
  )

  // `svc list` is short for `svc memories list`.
  editingCommands(program, run)
}

const editingCommands = (parent: Command, run: RunWithContext): void => {
  listCommand(parent, run)
  defineCommands(parent, run, () => import('../commands/memories/show.ts'))(
    'show <id>',
    'Print a memory with its metadata',
    (module) => module.runMemoriesShow,
  )
  editCommand(parent, run)
  deleteCommand(parent, run)
}

const listCommand = (parent: Command, run: RunWithContext): void => {
  defineCommands(parent, run, () => import('../commands/memories/list.ts'))(
    'list',
    'List memories, newest first',
    (module) => module.runMemoriesList,
  )
    .option('--limit <number>', 'maximum number (default 30)', parsePositiveInteger)
    .addOption(typeOption('only memories of this type'))
    .option('--thread <thread>', 'only memories of this thread')
    .option('--project <project>', 'only memories of this project')
    .option('--tag <tag>', 'only memories with this tag')
    .option('--author <name>', 'only memories by this author')
    .option('--since <time>', 'only memories at or after this time (ISO 8601)')
    .option('--until <time>', 'only memories before this time (ISO 8601)')
    .addOption(
      new Option('--search <words>', 'only memories about these words, best first').conflicts([
        'cursor',
        'deleted',
      ]),
    )
    .addOption(
      new Option('--sort <order>', 'the last stored first, or the last event first')
        .choices(MEMORY_ORDERS)
        .conflicts('search'),
    )
    .option('--deleted', 'list deleted memories that can be restored')
    .option('--cursor <cursor>', 'continue at this cursor')
    .addHelpText(
      'after',
      examples(
        'svc memories list --type preference',
        'svc memories list --search boiler --author Ada',
        'svc memories list --limit 500 --jq ".memories[].memory_id"',
      ),
    )
}

const editCommand = (parent: Command, run: RunWithContext): void => {
  defineCommands(parent, run, () => import('../commands/memories/edit.ts'))(
    'edit <id>',
    'Change fields of a memory; without options, edit its text in an editor',
    (module) => module.runMemoriesEdit,
  )
    .option('--content <text>', 'new text; - reads it from stdin')
    .addOption(typeOption('new type'))
    .option('--tag <tag>', 'replace the tags; can be repeated', collectValues)
    .option('--clear-tags', 'remove all tags')
    .option('--thread <thread>', 'conversation or document it belongs to')
    .option('--project <project>', 'project that it is about')
    .option('--author <name>', 'person who said or wrote it')
    .option('--importance <number>', 'importance from 0 to 1', parseNumber)
    .option('--occurred-at <time>', 'when it happened (ISO 8601)')
    .addHelpText(
      'after',
      examples('svc memories edit ID', 'svc memories edit ID --content "The boiler is blue."'),
    )
}

const deleteCommand = (parent: Command, run: RunWithContext): void => {
  defineCommands(parent, run, () => import('../commands/memories/delete.ts'))(
    'delete [id]',
    'Delete a memory, or all that match a filter; they can be restored for 30 days',
    (module) => module.runMemoriesDelete,
  )
    .alias('forget')
    .addOption(typeOption('all memories of this type'))
    .option('--thread <thread>', 'all memories of this thread')
    .option('--project <project>', 'all memories of this project')
    .option('--tag <tag>', 'all memories with this tag')
    .option('--author <name>', 'all memories by this author')
    .option('--since <time>', 'all memories at or after this time (ISO 8601)')
    .addOption(
      new Option('--until <time>', 'all memories before this time (ISO 8601)').conflicts('before'),
    )
    .option('--before <time>', 'the same as --until')
    .option('--dry-run', 'show what would be deleted')
    .option('--permanent', 'delete permanently')
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      examples(
        'svc memories delete ID --permanent --yes',
        'svc memories delete --tag draft --before 2026-01-01 --dry-run',
      ),
    )
}

export const conflictCommands = (program: Command, run: RunWithContext): void => {
  const conflicts = program
    .command('conflicts')
    .description('Settle contradictions between memories about you')
  const define = defineCommands(conflicts, run, () => import('../commands/conflicts.ts'))

  define('list', 'List the contradicting values', (module) => module.runConflictsList)
  define(
    'settle <key> [value...]',
    'Settle a conflict with one of its values or a new one',
    (module) => module.runConflictsSettle,
  ).addHelpText('after', examples('svc conflicts settle home Lisbon'))
}
