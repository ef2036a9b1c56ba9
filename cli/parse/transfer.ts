import { type Command, Option } from 'commander'
import type { ImportFormat } from '../../shared/contract/transfer.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'

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
  defineCommands(program, run, () => import('../commands/export.ts'))(
    'export [file]',
    'Export all memories to a file or stdout',
    (module) => module.runExport,
  ).addHelpText('after', examples('svc export memories.ndjson'))

  defineCommands(program, run, () => import('../commands/import.ts'))(
    'import <file>',
    'Import memories from a file; - reads from stdin',
    (module) => module.runImport,
  )
    .addOption(
      new Option('--format <format>', 'format of the file (default: detect)').choices(formats),
    )
    .addHelpText(
      'after',
      examples('svc import conversations.json', 'gunzip -c memories.ndjson.gz | svc import -'),
    )
}
