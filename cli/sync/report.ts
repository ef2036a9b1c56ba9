import type { Context } from '../context.ts'
import { oneLine } from '../output.ts'
import type { Warning } from './scan.ts'

export const CHANGES = [
  'remembered',
  'superseded',
  'updated',
  'forgotten',
  'created',
  'written',
  'removed',
  'conflict',
  'duplicate',
] as const
export type ChangeKind = (typeof CHANGES)[number]

/** A change of a file or its memory by a run, done or planned. */
export interface Change {
  action: ChangeKind
  path: string
  memory_id: string | null
  /** The other file of a conflict or duplicate. Of a new file: the folder of its thread, where that is no folder. */
  other?: string | undefined
}

/** The result of a run. */
export interface SyncReport {
  changes: Change[]
  warnings: Warning[]
}

/** Words for each kind, as a column. */
const WORDS: Record<ChangeKind, string> = {
  remembered: 'remembered',
  superseded: 'superseded',
  updated: 'updated',
  forgotten: 'forgotten',
  created: 'new file',
  written: 'changed file',
  removed: 'deleted file',
  conflict: 'conflict',
  duplicate: 'duplicate',
}

const WIDTH = 14

/** How a change is related to the other path. */
const RELATIONS: Partial<Record<ChangeKind, string>> = {
  conflict: ', your version is in',
  created: ', as this is no folder:',
}

/** One line for a change. */
const changeLine = ({ action, path, other }: Change): string => {
  const relation = RELATIONS[action] ?? ', like'
  return `${WORDS[action].padEnd(WIDTH)}${oneLine(path)}${other ? `${relation} ${oneLine(other)}` : ''}`
}

export const countsOf = (changes: readonly Change[]): Record<ChangeKind, number> => {
  const counts = Object.fromEntries(CHANGES.map((kind) => [kind, 0])) as Record<ChangeKind, number>
  for (const { action } of changes) counts[action]++
  return counts
}

const files = (count: number): string =>
  count === 1 ? '1 file' : `${count.toLocaleString('en')} files`

/** One line for all. */
export const summaryLine = (changes: readonly Change[]): string => {
  const { created, written, removed, ...memories } = countsOf(changes)
  const parts = [
    ...Object.entries(memories).map(
      ([kind, count]) => count > 0 && `${count.toLocaleString('en')} ${kind}`,
    ),
    created > 0 && `${files(created)} created`,
    written > 0 && `${files(written)} changed`,
    removed > 0 && `${files(removed)} deleted`,
  ].filter(Boolean)
  return parts.length ? parts.join(', ') : 'Everything is in sync.'
}

/** Lines for a large first run would hide the summary. */
const MAX_SHOWN = 50

/** Prints a line for each change and each warning. */
export const printChanges = ({ io }: Context, { changes, warnings }: SyncReport): void => {
  for (const change of changes.slice(0, MAX_SHOWN)) io.print(changeLine(change))
  if (changes.length > MAX_SHOWN)
    io.print(`… and ${(changes.length - MAX_SHOWN).toLocaleString('en')} more`)
  for (const { path, problem } of warnings)
    io.message(`Skipped: ${oneLine(path)} ${oneLine(problem)}.`)
}
