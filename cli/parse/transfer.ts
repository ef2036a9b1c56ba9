import { type Command, Option } from 'commander'
import type { ImportFormat } from '../../shared/contract/transfer.ts'
import type { TranscriptClient } from '../transcripts/formats.ts'
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

// Listed here, because importing the formats would load SQLite on every start.
const transcriptClients = Object.keys({
  codex: true,
  'claude-code': true,
  opencode: true,
  'gemini-cli': true,
} satisfies Record<TranscriptClient, true>)

export const transferCommands = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/export.ts'))(
    'export [file]',
    'Export all memories to a file or stdout',
    (module) => module.runExport,
  ).addHelpText('after', examples('svc export memories.ndjson'))

  defineCommands(program, run, () => import('../commands/import.ts'))(
    'import [file]',
    'Import memories from a file, or conversations with an assistant',
    (module) => module.runImport,
  )
    .addOption(
      new Option('--format <format>', 'format of the file (default: detect)').choices(formats),
    )
    .addOption(
      new Option(
        '--from <assistant>',
        'import the conversations that an assistant keeps on this machine',
      ).choices(transcriptClients),
    )
    .option('--since <time>', 'with --from: only messages at or after this time (ISO 8601)')
    .option('--project <name>', 'with --from: only this project, by name or folder')
    .option('--dry-run', 'with --from: show how much there is, and import nothing')
    .option('--yes', 'with --from: do not ask')
    .addHelpText(
      'after',
      examples(
        'svc import conversations.json',
        'gunzip -c memories.ndjson.gz | svc import -',
        'svc import --from codex --since 2026-01-01',
      ),
    )
}
