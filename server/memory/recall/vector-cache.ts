import type { Query } from '../../platform/db/database.ts'
import { runShared } from '../../platform/request-scope.ts'
import type { VectorModel } from '../memories/vector-model.ts'
import { bytesPerCode } from './code-arrays.ts'
import { createOwnerCodes, type OwnerCodes } from './owner-codes.ts'
import { readChanges, readCodes, readOwnerSize } from './vector-cache-store.ts'

/** All owners together: vectors of about 500,000 memories. */
const MAX_BYTES = 64 * 1024 * 1024
/** A larger owner is searched in PostgreSQL. */
const MAX_BYTES_PER_OWNER = MAX_BYTES / 2
/**
 * An owner's vectors are loaded at this search. Loading them takes as long as a few searches in PostgreSQL,
 * so that it is not worth it for an owner who rarely recalls, or writes much between two recalls.
 */
const LOAD_AT = 3
/** Owners whose searches are counted. */
const MAX_COUNTED = 10_000
const LOAD_PAGE = 5_000
/** Owners loaded at a time, because the total does not count them yet. */
const MAX_LOADING = 2

interface Entry {
  codes: OwnerCodes
  /** The number of changes of the owner's memories that the codes include. */
  changeCount: number
  /** Counted in the total. */
  bytes: number
}

export type CodeCache = ReturnType<typeof createCodeCache>

/**
 * The vectors of owners who recall often; those used longest ago are dropped first. Other servers write, too,
 * so a search is valid only while the owner's number of changes is still `changeCount`.
 */
export const createCodeCache = (query: Query, model: VectorModel, loadAt = LOAD_AT) => {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const searches = new Map<string, number>()
  const loading = new Map<string, Promise<Entry | undefined>>()

  const load = async (ownerId: string): Promise<Entry | undefined> => {
    const size = await readOwnerSize(query, ownerId)
    if (!size || size.memoryCount * bytesPerCode(model.dimensions) > MAX_BYTES_PER_OWNER)
      return undefined
    const codes = createOwnerCodes(model.dimensions)
    for (let after = 0; ; ) {
      const page = await readCodes(query, ownerId, model.id, after, LOAD_PAGE)
      if (!page) break
      codes.append(page)
      after = page.last
    }
    // The pages are of different snapshots. Changes in between are read again.
    return update(ownerId, { codes, changeCount: size.changeCount, bytes: 0 })
  }

  const update = async (ownerId: string, entry: Entry): Promise<Entry | undefined> => {
    const read = await readChanges(query, ownerId, model.id, entry.changeCount)
    // Another recall may have updated it meanwhile: the older result must not replace the newer one.
    if (read && read.changeCount <= entry.changeCount) return entry
    if (!read || entry.codes.isMostlyRemoved()) return undefined
    for (const change of read.changes) entry.codes.apply(change)
    entry.changeCount = read.changeCount
    return entry
  }

  const drop = (ownerId: string): void => {
    bytes -= entries.get(ownerId)?.bytes ?? 0
    entries.delete(ownerId)
  }

  const keep = (ownerId: string, entry: Entry | undefined): void => {
    drop(ownerId)
    if (!entry) return
    entry.bytes = entry.codes.bytes()
    bytes += entry.bytes
    entries.set(ownerId, entry)
    for (const [oldest] of entries) {
      if (bytes <= MAX_BYTES) break
      drop(oldest)
    }
  }

  /** Counts a search. @returns whether the vectors are worth being loaded. */
  const isDue = (ownerId: string): boolean => {
    const count = (searches.get(ownerId) ?? 0) + 1
    searches.delete(ownerId)
    if (count >= loadAt) return true
    searches.set(ownerId, count)
    const [oldest] = searches.keys()
    if (oldest && searches.size > MAX_COUNTED) searches.delete(oldest)
    return false
  }

  return {
    /** The vectors of an owner as of a number of changes; undefined where PostgreSQL is to be searched. */
    async get(ownerId: string): Promise<Entry | undefined> {
      const cached = entries.get(ownerId)
      if (cached) {
        entries.delete(ownerId)
        entries.set(ownerId, cached)
        return cached
      }
      const started = loading.get(ownerId)
      if (started) return started
      if (loading.size >= MAX_LOADING || !isDue(ownerId)) return undefined
      const loaded = runShared(() => load(ownerId)).finally(() => loading.delete(ownerId))
      loading.set(ownerId, loaded)
      const entry = await loaded
      keep(ownerId, entry)
      return entry
    },

    /** Applies the changes since the last time; forgets the owner when there were too many. */
    async refresh(ownerId: string): Promise<void> {
      const entry = entries.get(ownerId)
      if (entry) keep(ownerId, await update(ownerId, entry))
    },
  }
}
