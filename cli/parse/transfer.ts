import { type Command, Option } from 'commander'
import type { ImportFormat } from '../../shared/schemas/transfer.ts'
import type { ImportArgs } from '../commands/import.ts'
import { examples } from './examples.ts'
import type { RunWithContext } from './run.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const formats = Object.keys({
  auto: true,
  svc: true,
  mcp: true,
  mem0: true,
  chatgpt: true,
  claude: true,
} satisfies Record<ImportFormat, true>)

export const transferCommands = (program: Command, run: RunWithContext): void => {
  program
    .command('export [file]')
    .description('Export all memories to a file or stdout')
    .addHelpText('after', examples('svc export memories.ndjson'))
    .action((file: string | undefined) =>
      run(async (context) => (await import('../commands/export.ts')).runExport(context, file)),
    )

  program
    .command('import <file>')
    .description('Import memories from a file; - reads from stdin')
    .addOption(
      new Option('--format <format>', 'format of the file (default: detect)').choices(formats),
    )
    .addHelpText(
      'after',
      examples('svc import conversations.json', 'gunzip -c memories.ndjson.gz | svc import -'),
    )
    .action((path: string, options: Omit<ImportArgs, 'path'>) =>
      run(async (context) =>
        (await import('../commands/import.ts')).runImport(context, { path, ...options }),
      ),
    )
}
