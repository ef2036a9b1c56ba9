import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { parsePositiveInteger } from './values.ts'

export const syncCommand = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/sync.ts'))(
    'sync <folder>',
    'Keep a folder of Markdown files and the memories equal',
    (module) => module.runSync,
  )
    .option('--watch', 'follow changes on both sides until Ctrl-C')
    .option('--dry-run', 'show what would change')
    .option('--undo', 'first restore what the last run with deleted files forgot')
    .option(
      '--allow-deletes <number>',
      'delete up to so many, also if they are a large part',
      parsePositiveInteger,
    )
    .option('--max-size <KiB>', 'skip larger files (default: 128)', parsePositiveInteger)
    .option('--no-ignore', 'also sync new files that git ignores')
    .option('--yes', 'sync many files, or a folder of code, without a question')
    .addHelpText('after', examples('svc sync ~/Notes', 'svc sync --watch ~/Notes'))
}
