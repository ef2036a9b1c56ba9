import { agrees, type Fields, isSame } from './fields.ts'
import { type Frame, isSameFrame } from './frame.ts'

/** A memory and its file as they were when they were last equal. */
export interface Base {
  path: string
  /** Of the file. It differs from that of the memory where the server stores another text, such as a redacted one. */
  local: Fields
  /** Of the memory. */
  remote: Fields
  /** A hash of what the file only shows of the memory. */
  info: string
  /** Identifies the version of the file without reading it; undefined: it is read again. */
  stamp?: string | undefined
  /** Undefined in the state of an earlier version: the file is read again. */
  frame?: Frame | undefined
}

/** A file as it was found. */
export interface FoundFile {
  path: string
  /** The id in its front matter. */
  id: string | undefined
  /** Undefined: it cannot be a memory now, but it is there. */
  fields: Fields | undefined
  stamp?: string | undefined
  frame?: Frame | undefined
}

/** A memory as the server has it. */
export interface AccountMemory {
  fields: Fields
  info: string
}

/** The memories of an account. */
export interface AccountMemories {
  /** The current ones by id. */
  memories: ReadonlyMap<string, AccountMemory>
  /** The superseded ones: the memory that replaced each, and its fields. */
  superseded: ReadonlyMap<string, { by: string; fields: Fields }>
}

type OnFile = { file: FoundFile; id: string }

/** One step that makes a file and its memory equal. `id` is the current memory, unless noted. */
export type SyncAction =
  /** A new file: remember it. */
  | { kind: 'remember'; file: FoundFile }
  /** The text was edited: remember it in place of the memory. */
  | ({ kind: 'supersede' } & OnFile)
  /** Only properties were edited. */
  | ({ kind: 'update' } & OnFile)
  /** The file was deleted. */
  | { kind: 'forget'; id: string; path: string }
  /** A memory without a file. @property path where it was before. */
  | { kind: 'create'; id: string; path: string | undefined }
  /** The memory changed: write it into the file. @property old the id that the file had. */
  | ({ kind: 'write'; old: string } & OnFile)
  /** The memory was forgotten, or is part of another one: `id` is the one that the file had. */
  | ({ kind: 'remove' } & OnFile)
  /** They are equal, but the state, the path or the id in the file is not up to date. */
  | ({ kind: 'link'; old: string } & OnFile)
  /** Both changed in different ways: the file becomes a memory of its own, beside the other one. */
  | ({ kind: 'conflict'; old: string } & OnFile)
  /** Edited here and forgotten there. `id` is the forgotten one. */
  | ({ kind: 'keep' } & OnFile)
  /** Neither has it any more. */
  | { kind: 'drop'; id: string }

export interface Found {
  base: ReadonlyMap<string, Base>
  files: readonly FoundFile[]
  account: AccountMemories
  /** Whether a path cannot be looked at now, so that a missing file is not a deleted one. */
  isHidden?: (path: string) => boolean
}

/**
 * Compares the last common state with the files and the account, and returns what makes both equal. It changes
 * nothing itself, and each action has an own file and memory.
 */
export const planSync = ({ base, files, account, isHidden = () => false }: Found): SyncAction[] => {
  const { memories } = account
  const { owners, others } = assignFiles({ base, files, account })
  const actions: SyncAction[] = []
  const served = new Set<string>()
  for (const [id, file] of owners) {
    const head = headOf(id, account)
    // Two memories may have become one: its own file keeps it.
    const current = head !== undefined && (head === id || !owners.has(head)) && !served.has(head)
    if (head !== undefined && current) served.add(head)
    if (file.fields === undefined) continue
    const action = onFile(file as ReadableFile, id, current ? head : undefined, { base, account })
    if (action) actions.push(action)
  }
  for (const file of others) if (file.fields) actions.push({ kind: 'remember', file })
  const placed = new Map<string, string>()
  for (const [id, { path, remote }] of base) {
    if (owners.has(id) || served.has(id)) continue
    if (isHidden(path)) {
      const head = headOf(id, account)
      if (head !== undefined) served.add(head)
      continue
    }
    const memory = memories.get(id)
    if (memory && isSame(memory.fields, remote)) {
      actions.push({ kind: 'forget', id, path })
      served.add(id)
    } else {
      const head = headOf(id, account)
      if (head !== undefined) placed.set(head, path)
      if (head !== id) actions.push({ kind: 'drop', id })
    }
  }
  for (const id of memories.keys())
    if (!served.has(id) && !owners.has(id))
      actions.push({ kind: 'create', id, path: placed.get(id) })
  return actions
}

type ReadableFile = FoundFile & { fields: Fields }

const onFile = (
  file: ReadableFile,
  id: string,
  head: string | undefined,
  { base, account }: Pick<Found, 'base' | 'account'>,
): SyncAction | undefined => {
  const known = base.get(id)
  const memory = head === undefined ? undefined : account.memories.get(head)
  if (head === undefined || !memory) {
    if (known && isSame(file.fields, known.local)) return { kind: 'remove', file, id }
    return known ? { kind: 'keep', file, id } : { kind: 'remember', file }
  }
  const past = account.superseded.get(id)?.fields
  const isChangedHere = known
    ? !isSame(file.fields, known.local)
    : !(past && agrees(file.fields, past))
  const isChangedThere = head !== id || !known || !isSame(memory.fields, known.remote)
  if (!isChangedHere && !isChangedThere) {
    if (memory.info !== known?.info) return { kind: 'write', file, id: head, old: id }
    const isUpToDate =
      file.id === head &&
      file.path === known.path &&
      file.stamp === known.stamp &&
      isSameFrame(file.frame, known.frame)
    return isUpToDate ? undefined : { kind: 'link', file, id: head, old: id }
  }
  if (agrees(file.fields, memory.fields)) return { kind: 'link', file, id: head, old: id }
  if (!isChangedHere) return { kind: 'write', file, id: head, old: id }
  if (isChangedThere) return { kind: 'conflict', file, id: head, old: id }
  return file.fields.content === known?.local.content
    ? { kind: 'update', file, id }
    : { kind: 'supersede', file, id }
}

/** The current memory that a memory became; undefined: it was forgotten. */
export const headOf = (
  id: string,
  { memories, superseded }: AccountMemories,
): string | undefined => {
  const seen = new Set<string>()
  let head = id
  while (!memories.has(head)) {
    const next = superseded.get(head)?.by
    if (next === undefined || seen.has(next)) return undefined
    seen.add(next)
    head = next
  }
  return head
}

/** Names that macOS takes for the same one are written in one form. */
export const formOf = (path: string): string => path.normalize('NFC')

/**
 * The file of each memory: by the id in the file, at its known path if several have the id, as copies do. A file that
 * lost its id, or has one of an earlier version, belongs to the memory that was at its path.
 * @returns the files by the id that they had, and those that belong to none.
 */
const assignFiles = ({ base, files, account }: Found) => {
  const owners = new Map<string, FoundFile>()
  const left: FoundFile[] = []
  const homeOf = createHomes(base, files)
  const isKnown = (id: string) =>
    base.has(id) || account.memories.has(id) || account.superseded.has(id)
  const distance = ({ id, path }: FoundFile): number => {
    const home = id === undefined ? undefined : base.get(id)?.path
    if (home === path) return 0
    return home !== undefined && formOf(home) === formOf(path) ? 1 : 2
  }
  const sorted = files.toSorted((a, b) => distance(a) - distance(b))
  for (const file of sorted) {
    const { id } = file
    if (id !== undefined && base.has(id) && !owners.has(id)) owners.set(id, file)
    else left.push(file)
  }
  const others: FoundFile[] = []
  for (const file of left) {
    const { id } = file
    const home = homeOf(file.path)
    const head = id === undefined ? undefined : headOf(id, account)
    if (
      home !== undefined &&
      !owners.has(home) &&
      (id === undefined || head === home || !isKnown(id))
    )
      owners.set(home, file)
    else if (
      id !== undefined &&
      head !== undefined &&
      head !== id &&
      base.has(head) &&
      !owners.has(head)
    )
      owners.set(head, file)
    else if (id !== undefined && isKnown(id) && !owners.has(id)) owners.set(id, file)
    else others.push(file)
  }
  return { owners, others }
}

/**
 * The memory that was at a path: exactly there, or at the same name in another form of Unicode whose file is missing.
 */
const createHomes = (
  base: Found['base'],
  files: Found['files'],
): ((path: string) => string | undefined) => {
  const found = new Set(files.map(({ path }) => path))
  const exact = new Map([...base].map(([id, { path }]) => [path, id]))
  const moved = new Map(
    [...exact].filter(([path]) => !found.has(path)).map(([path, id]) => [formOf(path), id]),
  )
  return (path) => exact.get(path) ?? moved.get(formOf(path))
}
