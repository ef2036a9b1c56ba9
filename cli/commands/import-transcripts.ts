import { parseInstant } from '../../shared/contract/common.ts'
import { commandLine } from '../command-line.ts'
import { type Context, signedInClient } from '../context.ts'
import { CliError, Interrupted, usageError } from '../errors.ts'
import { canAsk, confirm } from '../input.ts'
import { runInterruptible } from '../interrupt.ts'
import { type TranscriptClient, transcriptFormats } from '../transcripts/formats.ts'
import { createProjects } from '../transcripts/projects.ts'
import { redactMessage } from '../transcripts/redacted.ts'
import { newReadCounts, readSelected, type TranscriptSelection } from '../transcripts/selected.ts'
import { createSender, newSendCounts, type SendCounts } from '../transcripts/send.ts'
import type { TranscriptFile } from '../transcripts/transcript.ts'

export interface ImportTranscriptsArgs {
  from: TranscriptClient
  since?: string
  project?: string
  dryRun?: boolean
  yes?: boolean
}

/** Finds the transcripts of an assistant, shows how much they have, and imports them after a confirmation. */
export const runImportTranscripts = async (
  context: Context,
  args: ImportTranscriptsArgs,
): Promise<void> => {
  const { io, json, environment } = context
  const { from, yes = false, dryRun = false } = args
  const since = readSince(args.since)
  if (!yes && !dryRun && !canAsk(io)) throw noTerminalError(context, args)
  if (!dryRun) signedInClient(context)
  const format = transcriptFormats[from]
  const projects = createProjects(environment)
  const { isNever } = projects
  const selection = { since, includes: projects.filter(args.project), isNever }
  const files = await format.find(environment)
  const found = await countMessages(context, from, files, selection)
  const summary = `${format.title}: ${formatCount(found.messages, 'message')} in ${formatCount(found.sessions, 'session')}`
  if (dryRun || found.messages === 0) {
    if (json) io.printJson({ client: from, ...found, dry_run: dryRun })
    else
      io.print(
        found.messages
          ? summary
          : `${format.title}: no messages found in ${format.directory(environment)}`,
      )
    return reportProblems(context, found)
  }
  io.info(`${summary}.`)
  if (!yes && !(await confirm(`Import them into ${context.url}?`, io)))
    return io.info('Nothing was imported.')
  const counts = newSendCounts()
  const { refusal: _unused, ...none } = counts
  io.willPrint(['client', ...Object.keys({ ...found, ...none }), 'redacted', 'dry_run'])
  const redacted = await importMessages(context, {
    from,
    files,
    selection,
    projects,
    counts,
    found,
  })
  const { refusal: _, ...sent } = counts
  if (json) io.printJson({ client: from, ...found, ...sent, redacted, dry_run: false })
  else io.print(formatResult(counts, redacted))
  reportProblems(context, found)
  if (counts.refused)
    throw new CliError(
      `${formatCount(counts.refused, 'message')} could not be imported: ${counts.refusal}`,
      'Run it again later. Messages that are already stored are skipped.',
    )
}

interface Found {
  sessions: number
  messages: number
  excluded: number
  unreadable: number
  unreadable_files: string[]
}

/** Reads everything once to show how much there is. */
const countMessages = (
  { io }: Context,
  from: TranscriptClient,
  files: readonly TranscriptFile[],
  selection: TranscriptSelection,
): Promise<Found> =>
  runInterruptible(io, async (signal) => {
    const counts = newReadCounts()
    const sessions = new Set<string>()
    let messages = 0
    for await (const turn of readSelected(transcriptFormats[from], files, selection, counts)) {
      signal.throwIfAborted()
      sessions.add(turn.session)
      messages += turn.messages.length
      io.showProgress(`Found ${formatCount(messages, 'message')} …`)
    }
    io.clear()
    const { excluded, unreadable, unreadableFiles } = counts
    return {
      sessions: sessions.size,
      messages,
      excluded,
      unreadable,
      unreadable_files: unreadableFiles,
    }
  })

interface ImportInput {
  from: TranscriptClient
  files: readonly TranscriptFile[]
  selection: TranscriptSelection
  projects: ReturnType<typeof createProjects>
  counts: SendCounts
  found: Found
}

/** Ctrl-C stops it, and what was stored stays. @returns the number of messages with a redacted secret. */
const importMessages = async (
  context: Context,
  { from, files, selection, projects, counts, found }: ImportInput,
): Promise<number> => {
  const { io } = context
  const client = signedInClient(context)
  let redacted = 0
  try {
    return await runInterruptible(io, async (signal) => {
      const sender = createSender({ client, clock: io.runtime.clock, counts, signal })
      const turns = readSelected(transcriptFormats[from], files, selection, newReadCounts())
      for await (const { session, folder, messages } of turns) {
        signal.throwIfAborted()
        const safe = await Promise.all(messages.map(redactMessage))
        redacted += safe.filter(({ isRedacted }) => isRedacted).length
        const conversation = { client: from, session, project: projects.nameOf(folder) }
        await sender.add(
          conversation,
          safe.map(({ message }) => message),
        )
        io.showProgress(
          `${(counts.imported + counts.already_stored).toLocaleString('en')} of ${formatCount(found.messages, 'message')} …`,
        )
      }
      await sender.flush()
      return redacted
    })
  } catch (error) {
    const next = 'To continue, run it again.'
    io.info(
      `${formatResult(counts, redacted)} before ${error instanceof Interrupted ? 'the interruption' : 'the error'}. ${next}`,
    )
    throw error
  }
}

const formatResult = ({ imported, already_stored }: SendCounts, redacted: number): string =>
  [
    `${formatCount(imported, 'message')} imported, ${already_stored.toLocaleString('en')} already stored`,
    redacted ? `, secrets redacted in ${formatCount(redacted, 'message')}` : '',
  ].join('')

/** Reports the messages that are not imported. */
const reportProblems = (
  { io }: Context,
  { excluded, unreadable, unreadable_files }: Found,
): void => {
  if (excluded) io.info(`${formatCount(excluded, 'message')} left out because of #nomem.`)
  if (unreadable) io.info(`${formatCount(unreadable, 'damaged line')} skipped.`)
  for (const path of unreadable_files) io.message(`Cannot read ${path}; skipped.`)
}

const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const readSince = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  // A date is a day of this machine.
  if (instant) return text.length === 10 ? new Date(`${text}T00:00`).getTime() : instant.getTime()
  throw usageError('--since must be a time in ISO 8601.', 'For example: --since 2026-01-31')
}

const noTerminalError = (context: Context, { from, since, project }: ImportTranscriptsArgs) =>
  usageError(
    'This requires a confirmation, and there is no terminal to ask.',
    `To see how much there is, add --dry-run. To import it, run: ${commandLine(context, ['import'], { from, since, project, yes: true })}`,
  )
