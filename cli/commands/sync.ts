import { mkdir, realpath, stat } from 'node:fs/promises'
import { me } from '../../shared/contract/sessions.ts'
import { commandLine } from '../command-line.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { CliError, usageError } from '../errors.ts'
import { canAsk, confirm, pathIn } from '../input.ts'
import { runInterruptible } from '../interrupt.ts'
import { oneLine } from '../output.ts'
import { deletionGuard } from '../sync/deletions.ts'
import { confirmFirstRun } from '../sync/first-run.ts'
import { BlockedPath } from '../sync/folder.ts'
import { countsOf, printChanges, type SyncReport, summaryLine } from '../sync/report.ts'
import { previewSync, type SessionOptions, syncFolder } from '../sync/session.ts'
import { lockFolder, type Owner, prepareStateFolder, readState, type State } from '../sync/state.ts'

interface SyncArgs {
  folder: string
  watch?: boolean
  dryRun?: boolean
  undo?: boolean
  allowDeletes?: number
  yes?: boolean
  /** KiB. */
  maxSize?: number
  /** False with `--no-ignore`. */
  ignore?: boolean
}

/** A batch of long texts takes a while on a small machine. */
const TIMEOUT_MS = 120_000

/** Makes a folder of Markdown files and the memories of the account equal. */
export const runSync = async (context: Context, args: SyncArgs): Promise<void> => {
  if (args.dryRun && (args.watch || args.undo))
    throw usageError('--dry-run shows one run.', 'Run it without --watch and --undo.')
  context.io.willPrint(Object.keys(toJson({ changes: [], warnings: [] }, false)))
  const client = signedInClient(context, TIMEOUT_MS)
  const root = await folderOf(context, args)
  await runInterruptible(context.io, (signal) =>
    runIn(context, args, { root, client, signal }).catch(throwFileError),
  )
}

const runIn = async (
  context: Context,
  args: SyncArgs,
  { root, client, signal }: Pick<SessionOptions, 'root' | 'client' | 'signal'>,
): Promise<void> => {
  const owner = await ownerOf(context, client, signal)
  const options = { root, client, signal, ...hooksOf(context, args) }
  if (args.dryRun) {
    const state = (await stateOf(root, owner)) ?? newState(owner)
    const report = await previewSync({ ...options, state })
    return show(context, args, report)
  }
  if (!(await stateOf(root, owner)) && !args.yes)
    await confirmFirstRun({
      root,
      selection: options.selection,
      ask: options.ask,
      command: commandLine(context, ['sync', args.folder], {
        watch: args.watch,
        undo: args.undo,
        'max-size': args.maxSize,
        'no-ignore': args.ignore === false,
        yes: true,
      }),
    })
  await prepareStateFolder(root)
  const lock = await lockFolder(root)
  try {
    const session = { ...options, state: (await stateOf(root, owner)) ?? newState(owner) }
    if (args.undo) await (await import('../sync/undo.ts')).undoDeletions(session, context.io)
    if (args.watch) await (await import('../sync/watch.ts')).watchFolder(session, context)
    else show(context, args, await syncFolder(session))
  } finally {
    lock.close()
  }
}

/** Names the file and the reason of an error of the file system, such as a full disk. */
const throwFileError = (error: unknown): never => {
  if (error instanceof BlockedPath)
    throw new CliError(
      `Cannot use ${oneLine(error.path) || 'the folder'}: it ${error.problem}.`,
      'Remove it and run it again. Nothing is lost.',
      { cause: error },
    )
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined || !/^E[A-Z]+$/.test(code)) throw error
  throw new CliError(
    `Cannot access ${path ? oneLine(path) : 'the folder'}: ${code}.`,
    /ENOSPC|EDQUOT/.test(code)
      ? 'Free disk space and run it again. Nothing is lost.'
      : 'Check the permissions and run it again. Nothing is lost.',
    { cause: error },
  )
}

/** The real path of the folder, which is created for this user alone if it does not exist. */
const folderOf = async ({ io }: Context, { folder, dryRun }: SyncArgs): Promise<string> => {
  const path = pathIn(io.runtime, folder)
  try {
    if (!dryRun) await mkdir(path, { recursive: true, mode: 0o700 })
    if ((await stat(path)).isDirectory()) return await realpath(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // A dry run does not create it.
    if (dryRun && code === 'ENOENT') return path
    if (code !== 'EEXIST' && code !== 'ENOTDIR')
      throw new CliError(`Cannot use ${folder}: ${code}.`, 'Name a folder that you can write to.', {
        cause,
      })
  }
  throw usageError(`${folder} is not a folder.`, 'Name the folder of the Markdown files.')
}

const ownerOf = async (
  context: Context,
  client: SessionOptions['client'],
  signal: AbortSignal,
): Promise<Owner> => {
  const { id, org } = await client.call(me, { signal })
  return { url: context.url, user_id: id, org_id: org?.id ?? null }
}

const newState = (owner: Owner): State => ({
  owner,
  base: new Map(),
  forgotten: [],
  places: new Map(),
})

/** @returns undefined before the first run. @throws CliError if the folder belongs to another account. */
const stateOf = async (root: string, owner: Owner): Promise<State | undefined> => {
  const state = await readState(root)
  if (!state) return undefined
  const { url, user_id, org_id } = state.owner
  if (
    url === owner.url &&
    org_id === owner.org_id &&
    (org_id !== null || user_id === owner.user_id)
  )
    return state
  const difference =
    url !== owner.url
      ? `it is synced with ${url}, not with ${owner.url}`
      : 'it is synced with another account or organization'
  throw new CliError(
    `${root} belongs to another account: ${difference}.`,
    'Name another folder, or sign in as before: --profile, --url and --org choose the account.',
  )
}

const hooksOf = (context: Context, args: SyncArgs) => {
  const { io } = context
  const ask = canAsk(io) ? (question: string) => confirm(question, io) : undefined
  return {
    ask,
    selection: {
      isAll: args.ignore === false,
      ...definedFields({ maxBytes: args.maxSize && args.maxSize * 1024 }),
    },
    now: io.runtime.clock.now,
    onProgress: (text: string) => io.showProgress(text),
    onWait: (seconds: number) =>
      io.info(`The server is busy. Waiting for ${Math.ceil(seconds)} s …`),
    allowDeletions: deletionGuard({ allowed: args.allowDeletes, ask }),
  }
}

const show = (
  context: Context,
  { folder, dryRun: isPreview = false }: SyncArgs,
  report: SyncReport,
): void => {
  const { io, json } = context
  io.clear()
  if (json) {
    io.printJson(toJson(report, isPreview))
    return
  }
  printChanges(context, report)
  io.print(
    `${isPreview && report.changes.length ? 'Would do: ' : ''}${summaryLine(report.changes)}`,
  )
  const isForgotten = report.changes.some(({ action }) => action === 'forgotten')
  if (isForgotten && !isPreview)
    io.info(
      `To restore what was forgotten, run: ${commandLine(context, ['sync', folder], { undo: true })}`,
    )
}

const toJson = ({ changes, warnings }: SyncReport, isPreview: boolean) => ({
  dry_run: isPreview,
  ...countsOf(changes),
  changes,
  skipped: warnings,
})
