import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../shared/client.ts'
import { patient, type RemoteAccount, readAccount } from './account.ts'
import { isSame } from './fields.ts'
import { removeEntry, withTemporaryFolder } from './files.ts'
import { forgetAll } from './forget.ts'
import { dayOf, openKept, sweepKept } from './kept.ts'
import { createNames, type FileNames, freePath } from './names.ts'
import { formOf, planSync, type SyncAction } from './plan.ts'
import { changeFiles, separate } from './pull.ts'
import { type Stored, storeFiles, updateAll } from './push.ts'
import type { ChangeKind, SyncReport } from './report.ts'
import type { Run } from './run.ts'
import { emptyScan, type Scan, type ScanOptions, scanFolder } from './scan.ts'
import { STATE_FOLDER, type State, writeState } from './state.ts'

export interface SessionOptions {
  root: string
  client: Client
  state: State
  signal: AbortSignal
  /** The files that are looked at. */
  selection: Pick<ScanOptions, 'isAll' | 'maxBytes'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Called before anything is deleted on a side; it throws to stop. */
  allowDeletions: (deletions: Deletions) => Promise<void>
  onProgress: (text: string) => void
  onWait: (seconds: number) => void
}

/** How much a run would delete. */
export interface Deletions {
  /** Memories of files that were deleted. */
  forgotten: number
  /** Files of memories that were forgotten. */
  removed: number
  /** The memories that were in sync before. */
  tracked: number
}

/** Runs until nothing changes meanwhile, at most so often: the next run does the rest. */
const MAX_ROUNDS = 4
const ROUND_PAUSE_MS = 100

/** Makes the folder and the account equal. The state is saved in any case. */
export const syncFolder = async (options: SessionOptions): Promise<SyncReport> => {
  const report: SyncReport = { changes: [], warnings: [] }
  await sweepKept(options.root, options.now())
  for (let round = 1; ; round++) {
    const isStale = await syncOnce(options, report)
    if (!isStale || round === MAX_ROUNDS) return sorted(report)
    await pause(ROUND_PAUSE_MS, undefined, { signal: options.signal })
  }
}

/** Files are changed at the same time, in any order. */
const sorted = ({ changes, warnings }: SyncReport): SyncReport => ({
  changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  warnings,
})

/** Finds what a run would do. It writes nothing into the folder. */
export const previewSync = (options: SessionOptions): Promise<SyncReport> =>
  withTemporaryFolder(async (temporary) => {
    const { state } = options
    await using account = await readAll(options, temporary)
    const scan = await scanAll(options).catch(missing)
    const names = namesOf(scan, state)
    const report: SyncReport = { changes: [], warnings: scan.warnings }
    for (const action of plan(scan, state, account)) {
      const kind = PREVIEWS[action.kind]
      if (!kind) continue
      const memory_id = 'id' in action ? action.id : null
      const path = action.kind === 'create' ? await newPath(action, account, names) : pathOf(action)
      report.changes.push({ action: kind, path, memory_id })
    }
    return sorted(report)
  })

/** A folder that the run would create. */
const missing = (error: NodeJS.ErrnoException): Scan => {
  if (error.code === 'ENOENT') return emptyScan()
  throw error
}

const scanAll = ({ root, state, signal, selection }: SessionOptions): Promise<Scan> =>
  scanFolder(root, { base: state.base, signal, ...selection })

const pathOf = (action: Exclude<SyncAction, { kind: 'create' }>): string =>
  'file' in action ? action.file.path : 'path' in action ? action.path : ''

const newPath = async (
  { id, path }: Extract<SyncAction, { kind: 'create' }>,
  account: RemoteAccount,
  names: FileNames,
): Promise<string> => {
  const memory = path === undefined ? await account.read(id) : undefined
  return memory ? freePath(names, memory) : (path ?? '')
}

const PREVIEWS: Record<SyncAction['kind'], ChangeKind | undefined> = {
  remember: 'remembered',
  keep: 'remembered',
  supersede: 'superseded',
  update: 'updated',
  forget: 'forgotten',
  create: 'created',
  write: 'written',
  remove: 'removed',
  conflict: 'conflict',
  link: undefined,
  drop: undefined,
}

const readAll = (options: SessionOptions, temporary: string): Promise<RemoteAccount> => {
  const { state, signal, onProgress, onWait } = options
  return readAccount({
    signal,
    temporary,
    base: state.base,
    cursor: state.cursor,
    client: patient(options.client, onWait, signal),
    onProgress: (count) => onProgress(`${count.toLocaleString('en')} memories read …`),
  })
}

const plan = ({ files, hidden }: Scan, { base }: State, account: RemoteAccount): SyncAction[] =>
  planSync({ base, files, account, isHidden: (path) => isHiddenBy(hidden, path) })

/** @param hidden files, and folders with a slash at the end. */
const isHiddenBy = (hidden: readonly string[], path: string): boolean => {
  const form = formOf(path)
  return hidden
    .map(formOf)
    .some((each) => form === each || (each.endsWith('/') && form.startsWith(each)))
}

const ofKind = <K extends SyncAction['kind']>(actions: SyncAction[], ...kinds: K[]) =>
  actions.filter((action): action is Extract<SyncAction, { kind: K }> =>
    (kinds as string[]).includes(action.kind),
  )

/** The names in use, also of files that cannot be seen now. */
const namesOf = ({ paths, folders, hidden }: Scan, { base }: State): FileNames => {
  const unseen = [...base.values()].flatMap(({ path }) => (isHiddenBy(hidden, path) ? [path] : []))
  return createNames([...paths, ...unseen], folders)
}

/** @returns whether files or memories changed meanwhile. */
const syncOnce = async (options: SessionOptions, report: SyncReport): Promise<boolean> => {
  const { root, state, signal } = options
  await using account = await readAll(options, join(root, STATE_FOLDER))
  const scan = await scanAll(options)
  for (const path of scan.leftovers) await removeEntry(root, path).catch(() => {})
  const actions = plan(scan, state, account)
  await options.allowDeletions({
    forgotten: ofKind(actions, 'forget').length,
    removed: ofKind(actions, 'remove').length,
    tracked: state.base.size,
  })
  // Each round finds these again.
  report.changes = report.changes.filter(({ action }) => action !== 'duplicate')
  report.warnings = scan.warnings
  const today = dayOf(options.now())
  const run: Run = {
    root,
    signal,
    state,
    account,
    report,
    isStale: false,
    client: patient(options.client, options.onWait, signal),
    names: namesOf(scan, state),
    kept: await openKept(root, today, actions.length > 0),
    today,
    owners: ownersAfter(state, actions),
    outdated: new Set(ofKind(actions, 'supersede').map(({ id }) => id)),
    onProgress: options.onProgress,
    save: () => writeState(root, state),
    checkpoint: createCheckpoint(root, state),
  }
  // Until the end, the next run reads from the same place again.
  const before = state.cursor
  try {
    await apply(run, actions)
    state.cursor = isEqual(state, account) ? account.cursor : undefined
  } finally {
    if (actions.length || state.cursor !== before) await writeState(root, state)
  }
  return run.isStale
}

/** Nothing is deleted before its text is stored. */
const apply = async (run: Run, actions: SyncAction[]): Promise<void> => {
  const stored: Stored[] = ofKind(actions, 'supersede', 'remember', 'keep', 'conflict')
  await storeFiles(run, stored, separate)
  await updateAll(run, ofKind(actions, 'update'))
  await forgetAll(run, ofKind(actions, 'forget'))
  await changeFiles(run, ofKind(actions, 'drop', 'link', 'write', 'create', 'remove'))
}

/** The files that have a memory, and still have it afterwards. */
const ownersAfter = ({ base }: State, actions: SyncAction[]): Run['owners'] => {
  const owners = new Map([...base].map(([id, { path }]) => [id, path]))
  for (const action of actions) {
    if ('old' in action) owners.delete(action.old)
    if ('id' in action) owners.delete(action.id)
  }
  for (const { id, file } of ofKind(actions, 'update', 'write', 'link', 'conflict'))
    owners.set(id, file.path)
  return owners
}

/** Whether nothing is left to do, so that the next run needs only what changes from now on. */
const isEqual = ({ base }: State, { memories }: RemoteAccount): boolean => {
  if (base.size !== memories.size) return false
  for (const [id, { fields, info }] of memories) {
    const known = base.get(id)
    if (!known || known.info !== info || !isSame(known.remote, fields)) return false
  }
  return true
}

/** The state of a large folder takes a moment to write. */
const CHECKPOINT_MS = 2_000

const createCheckpoint = (root: string, state: State) => {
  let savedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - savedAt < CHECKPOINT_MS) return
    // Another step may arrive here meanwhile.
    savedAt = Number.POSITIVE_INFINITY
    await writeState(root, state)
    savedAt = performance.now()
  }
}
