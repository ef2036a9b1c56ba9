import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { parsePositiveInteger } from './values.ts'

export const activityCommand = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/activity.ts'))(
    'activity',
    'List what assistants read and wrote, newest first, or follow it',
    (module) => module.runActivity,
  )
    .option('--follow', 'print each event when it happens')
    .option('--kind <kind>', 'only this kind, such as recall, or this group, such as memory.')
    .option('--client <assistant>', 'only of this assistant, such as codex')
    .option('--session <session>', 'only of this conversation with it')
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--before <id>', 'only events before this one')
    .addHelpText('after', examples('svc activity --kind recall', 'svc activity --follow'))
}

export const captureCommands = (program: Command, run: RunWithContext): void => {
  const captures = program
    .command('captures')
    .description('List, delete and restore conversations that were captured from assistants')
  const define = defineCommands(captures, run, () => import('../commands/captures.ts'))

  define(
    'list',
    'List captured conversations, the latest first',
    (module) => module.runCapturesList,
  )
    .option('--client <assistant>', 'only those with this assistant, such as codex')
    .option('--limit <number>', 'maximum number (default 30)', parsePositiveInteger)
    .option('--cursor <cursor>', 'continue at this cursor')
    .addHelpText('after', examples('svc captures list --client codex'))
  define(
    'delete <client> <session>',
    'Delete the memories of a conversation; they can be restored for 30 days',
    (module) => module.runCapturesDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc captures delete codex SESSION'))
  define(
    'restore <client> <session>',
    'Restore the deleted memories of a conversation',
    (module) => module.runCapturesRestore,
  )
}
