import { type Command, Option } from 'commander'
import type { DeleteMemoryArgs } from '../commands/memories/delete.ts'
import type { EditMemoryArgs } from '../commands/memories/edit.ts'
import type { ListMemoriesArgs } from '../commands/memories/list.ts'
import { definedFields } from '../defined.ts'
import { examples } from './examples.ts'
import type { RunWithContext } from './run.ts'
import { collectValues, parseNumber, parsePositiveInteger, typeOption } from './values.ts'

export const memoryCommands = (program: Command, run: RunWithContext): void => {
  const memories = program
    .command('memories')
    .description('List, show, edit, delete and restore memories')

  memories
    .command('list')
    .description('List memories, newest first')
    .option('--limit <number>', 'maximum number (default 30)', parsePositiveInteger)
    .addOption(typeOption('only memories of this type'))
    .option('--thread <thread>', 'only memories of this thread')
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
    .action((options: ListMemoriesArgs) =>
      run(async (context) =>
        (await import('../commands/memories/list.ts')).runMemoriesList(context, options),
      ),
    )

  memories
    .command('show <id>')
    .description('Print a memory with its metadata')
    .action((id: string) =>
      run(async (context) =>
        (await import('../commands/memories/show.ts')).runMemoriesShow(context, { id }),
      ),
    )

  memories
    .command('edit <id>')
    .description('Change fields of a memory; without options, edit its text in an editor')
    .option('--content <text>', 'new text; - reads it from stdin')
    .addOption(typeOption('new type'))
    .option('--tag <tag>', 'replace the tags; can be repeated', collectValues)
    .option('--clear-tags', 'remove all tags')
    .option('--thread <thread>', 'conversation or document it belongs to')
    .option('--author <name>', 'person who said or wrote it')
    .option('--importance <number>', 'importance from 0 to 1', parseNumber)
    .option('--occurred-at <time>', 'when it happened (ISO 8601)')
    .addHelpText(
      'after',
      examples('svc memories edit ID', 'svc memories edit ID --content "The boiler is blue."'),
    )
    .action((id: string, options: Omit<EditMemoryArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/memories/edit.ts')).runMemoriesEdit(context, { id, ...options }),
      ),
    )

  memories
    .command('delete [id]')
    .description('Delete a memory, or all that match a filter; they can be restored for 30 days')
    .addOption(typeOption('all memories of this type'))
    .option('--thread <thread>', 'all memories of this thread')
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
    .action((id: string | undefined, options: Omit<DeleteMemoryArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/memories/delete.ts')).runMemoriesDelete(context, {
          ...definedFields({ id }),
          ...options,
        }),
      ),
    )

  memories
    .command('restore <id>')
    .description('Restore a deleted memory')
    .action((id: string) =>
      run(async (context) =>
        (await import('../commands/memories/restore.ts')).runMemoriesRestore(context, { id }),
      ),
    )

  memories
    .command('history <id>')
    .description('Print the changes to a memory, also a deleted one')
    .action((id: string) =>
      run(async (context) =>
        (await import('../commands/memories/history.ts')).runMemoriesHistory(context, { id }),
      ),
    )
}
