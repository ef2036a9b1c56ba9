import {
  type ImportFormat,
  type ImportReport,
  importMemories,
  type TrustLoss,
} from '../../shared/contract/transfer.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { CliError, usageError } from '../errors.ts'
import { countBytes, formatProgress, openInput } from '../file-input.ts'
import { oneLine } from '../output.ts'
import type { ImportTranscriptsArgs } from './import-transcripts.ts'

interface FileArgs {
  file: string
  format?: ImportFormat
}

interface ImportArgs extends Partial<FileArgs>, Partial<ImportTranscriptsArgs> {}

/** Maximum number of failed lines that are printed. */
const MAX_SHOWN_FAILURES = 20

const LOSSES: Record<TrustLoss, string> = {
  unsigned: 'the lines have no signature.',
  changed: 'the lines were changed after the export.',
  unknown_server: 'they come from a server that this one does not know (SVC_TRUSTED_EXPORT_KEYS).',
  other_account: 'they come from another account or organization.',
  credential: 'this credential is not trusted like a person.',
}

/** Imports a file, stdin, or the transcripts of an assistant. */
export const runImport = async (
  context: Context,
  { file, format, from, ...args }: ImportArgs,
): Promise<void> => {
  if (from !== undefined && file === undefined && format === undefined)
    return (await import('./import-transcripts.ts')).runImportTranscripts(context, {
      from,
      ...args,
    })
  if (from !== undefined)
    throw usageError('--from finds the transcripts itself.', `Run: svc import --from ${from}`)
  if (file === undefined)
    throw usageError(
      'Name a file to import, or an assistant.',
      'For example: svc import conversations.json, or: svc import --from codex',
    )
  const [option] = Object.keys(args)
  if (option)
    throw usageError(
      '--since, --project, --dry-run and --yes need --from.',
      'For example: svc import --from codex --dry-run',
    )
  await importFile(context, { file, ...(format && { format }) })
}

/** Imports a file or stdin, and prints the result. */
const importFile = async (context: Context, args: FileArgs): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const { bytes, size } = await openInput(args.file, io.runtime)
  const report = await client.call(importMemories, {
    file: countBytes(bytes, (sent) => io.showProgress(formatProgress(sent, size))),
    query: definedFields({ format: args.format }),
  })
  const { imported, deduplicated, failed, failed_count } = report
  const [first] = failed
  if (context.json) io.printJson(report)
  if (first && imported + deduplicated === 0) throw noMemoriesError(args.file, first)
  if (!context.json)
    io.print(`${imported} imported, ${deduplicated} already stored, ${failed_count} failed`)
  if (!context.json)
    for (const { reason, count } of report.trust_lowered ?? [])
      io.message(
        `${count} ${count === 1 ? 'is' : 'are'} trusted less than in the file: ${LOSSES[reason]}`,
      )
  if (failed_count === 0) return
  if (!context.json)
    for (const { line, detail } of failed.slice(0, MAX_SHOWN_FAILURES))
      io.message(`${line}: ${oneLine(detail)}`)
  throw new CliError(
    `${failed_count === 1 ? '1 line or element' : `${failed_count} lines or elements`} could not be imported.`,
    'Correct them and import the file again. Memories that are already stored are skipped.',
  )
}

const noMemoriesError = (path: string, { line, detail }: ImportReport['failed'][number]) =>
  new CliError(
    `${path === '-' ? 'The input' : path} has no memories that can be imported (record ${line}: ${oneLine(detail)}).`,
    'Name an export of svc, ChatGPT, Claude, mem0 or the MCP memory server. To store a text, run: svc remember --file FILE',
  )
