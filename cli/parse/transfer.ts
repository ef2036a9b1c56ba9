import { type Command, Option } from 'commander'
import type { ImportFormat } from '../../shared/schemas/transfer.ts'
import type { ImportArgs } from '../commands/import.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'

// Written out, because the schema would bring its whole library into every start.
const formats = Object.keys({
  auto: true,
  svc: true,
  mcp: true,
  mem0: true,
  chatgpt: true,
  claude: true,
} satisfies Record<ImportFormat, true>)

export const transferCommands = (program: Command, run: Run): void => {
  program
    .command('export [file]')
    .description('Write all memories to a file, or to stdout')
    .addHelpText('after', examples('svc export memories.ndjson'))
    .action((file: string | undefined) =>
      run(async (context) => (await import('../commands/export.ts')).exportTo(context, file)),
    )

  program
    .command('import <file>')
    .description('Remember what is in a file, or with - what is piped in')
    .addOption(
      new Option('--format <format>', 'where it is from; found out if left out').choices(formats),
    )
    .addHelpText(
      'after',
      examples('svc import conversations.json', 'gunzip -c memories.ndjson.gz | svc import -'),
    )
    .action((path: string, options: Omit<ImportArgs, 'path'>) =>
      run(async (context) =>
        (await import('../commands/import.ts')).importFrom(context, { path, ...options }),
      ),
    )
}
