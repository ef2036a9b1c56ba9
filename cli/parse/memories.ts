import type { Command } from 'commander'
import type { DeleteMemoryArgs } from '../commands/memories/delete.ts'
import type { EditMemoryArgs } from '../commands/memories/edit.ts'
import type { ListMemoriesArgs } from '../commands/memories/list.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'
import { number, positive, several, typeOption } from './values.ts'

export const memoryCommands = (program: Command, run: Run): void => {
  const memories = program
    .command('memories')
    .description('List, show, change, forget and restore memories')

  memories
    .command('list')
    .description('List memories, the newest first')
    .option('--limit <number>', 'how many; 30 if left out', positive)
    .addOption(typeOption('only this kind of memory'))
    .option('--thread <thread>', 'only of this thread')
    .option('--cursor <cursor>', 'where a list before this one stopped')
    .addHelpText(
      'after',
      examples(
        'svc memories list --type preference',
        'svc memories list --limit 500 --json | jq -r ".memories[].memory_id"',
      ),
    )
    .action((options: ListMemoriesArgs) =>
      run(async (context) => (await import('../commands/memories/list.ts')).list(context, options)),
    )

  memories
    .command('show <id>')
    .description('Print a memory, and all that is known of it')
    .action((id: string) =>
      run(async (context) => (await import('../commands/memories/show.ts')).show(context, { id })),
    )

  memories
    .command('edit <id>')
    .description('Change a memory: what is named, or without anything named its text in an editor')
    .option('--content <text>', 'its text; - for what is piped in')
    .addOption(typeOption('what kind of memory'))
    .option('--tag <tag>', 'its tags from now on; may be given several times', several)
    .option('--clear-tags', 'no tags from now on')
    .option('--thread <thread>', 'the conversation or document it is part of')
    .option('--author <name>', 'who said or wrote it')
    .option('--importance <number>', 'from 0 to 1', number)
    .option('--occurred-at <time>', 'when it happened (ISO 8601)')
    .addHelpText(
      'after',
      examples('svc memories edit ID', 'svc memories edit ID --content "The boiler is blue."'),
    )
    .action((id: string, options: Omit<EditMemoryArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/memories/edit.ts')).edit(context, { id, ...options }),
      ),
    )

  memories
    .command('delete <id>')
    .description('Forget a memory; for 30 days it can be brought back')
    .option('--permanent', 'erase it now, for good')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples('svc memories delete ID', 'svc memories delete ID --permanent --yes'),
    )
    .action((id: string, options: Omit<DeleteMemoryArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/memories/delete.ts')).remove(context, { id, ...options }),
      ),
    )

  memories
    .command('restore <id>')
    .description('Bring back a memory that was forgotten')
    .action((id: string) =>
      run(async (context) =>
        (await import('../commands/memories/restore.ts')).restore(context, { id }),
      ),
    )

  memories
    .command('history <id>')
    .description('Print what happened to a memory; also of a forgotten one')
    .action((id: string) =>
      run(async (context) =>
        (await import('../commands/memories/history.ts')).history(context, { id }),
      ),
    )
}
