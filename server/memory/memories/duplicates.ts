import { MAX_TAGS, type Remembered } from '../../../shared/contract/memories.ts'
import { foldLabel, uniqueLabels } from '../../../shared/labels.ts'
import type { Query } from '../../platform/db/database.ts'
import { isBelow } from './actor.ts'
import type { MemoryChange } from './change-parts-store.ts'
import type { NewMemory, StoredMemory } from './insert-store.ts'
import { tagColumns } from './new-memory.ts'
import type { ShownMemory } from './store.ts'
import { lockUnchanged, updateMemory } from './update-store.ts'

type Added = NonNullable<Remembered['added']>

export type RunTransaction = <T>(work: (query: Query) => Promise<T>) => Promise<T>

/** A memory that was written again, as far as it counts for the stored one. */
export type Repeated = Pick<NewMemory, 'tags' | 'importance' | 'trust'> &
  Partial<Pick<NewMemory, 'capture_key' | 'project'>>

/**
 * Finds the tags, the greater importance and the project that a stored memory lacks of one that was written again.
 * Text that is trusted less adds nothing.
 */
const missingIn = (
  stored: Pick<ShownMemory, 'tags' | 'importance' | 'project' | 'trust'>,
  { tags, importance, project, trust }: Repeated,
): Added | undefined => {
  if (isBelow(trust, stored.trust)) return undefined
  const known = new Set(stored.tags.map(foldLabel))
  const missing = uniqueLabels(tags)
    .filter((tag) => !known.has(foldLabel(tag)))
    .slice(0, Math.max(0, MAX_TAGS - stored.tags.length))
  const isGreater = importance !== null && importance > stored.importance
  const isMoved = project != null && project !== stored.project
  if (!missing.length && !isGreater && !isMoved) return undefined
  return {
    ...(missing.length && { tags: missing }),
    ...(isGreater && { importance }),
    ...(isMoved && { project }),
  }
}

/**
 * A captured message that arrives again is no other one, so that its user's changes stay; it may be known now to be
 * of a project.
 */
const repeatedIn = ({ memory }: StoredMemory, row: Repeated): Repeated =>
  row.capture_key
    ? { ...row, tags: [], importance: null, ...(memory.project !== null && { project: null }) }
    : row

interface Completion {
  /** Each change is a transaction. */
  transaction: RunTransaction
  change: Omit<MemoryChange, 'memoryId'>
  engines: readonly string[]
  rows: readonly Repeated[]
  /** The memory of each row. A completed one is replaced in all its places. */
  stored: StoredMemory[]
}

/** Adds to memories that were stored before what they lack of the rows. Nothing is read where they lack nothing. */
export const completeDuplicates = async ({ rows, stored, ...rest }: Completion): Promise<void> => {
  for (const [index, one] of stored.entries()) {
    const row = one.deduplicated ? rows[index] : undefined
    const repeated = row && repeatedIn(one, row)
    if (!repeated || !missingIn(one.memory, repeated)) continue
    const done = await addMissing(one.memory, repeated, rest)
    if (!done) continue
    for (const other of stored)
      if (other.memory.memoryId === done.memory.memoryId) other.memory = done.memory
    one.added = done.added
  }
}

const addMissing = (
  { memoryId, contentText }: ShownMemory,
  repeated: Repeated,
  { transaction, change, engines }: Pick<Completion, 'transaction' | 'change' | 'engines'>,
) =>
  transaction(async (query) => {
    const locked = await lockUnchanged(query, change.ownerId, memoryId, contentText)
    const added = locked && missingIn(locked, repeated)
    if (!added) return undefined
    const { tags, importance, project } = added
    const patch = {
      ...(tags && tagColumns([...locked.tags, ...tags])),
      ...(importance !== undefined && { importance }),
      ...(project !== undefined && { project }),
    }
    const memory = await updateMemory(query, { ...change, memoryId }, patch, engines)
    return memory && { memory, added }
  })
