import type { Query } from '../../platform/db/database.ts'
import { createPacer } from '../../platform/event-loop.ts'
import { runShared } from '../../platform/request-scope.ts'
import type { VectorModel } from '../memories/vectors.ts'
import { BYTES_PER_MEMORY, OwnerIndex, type OwnerStats } from './owner-index.ts'
import {
  type ChangedMemory,
  readAuthorWords,
  readChanges,
  readEntries,
  readOwnerStats,
  readPostings,
  readVectors,
} from './owner-index-store.ts'
import { bytesPerVector } from './vector-column.ts'

/**
 * An owner's index is loaded at this recall. Loading it takes as long as many recalls in PostgreSQL, so that
 * it is not worth it for an owner who rarely recalls, or writes much between two recalls.
 */
const LOAD_AT = 3
/** Owners whose recalls are counted. */
const MAX_COUNTED = 10_000
/** Owners loaded at a time. */
const MAX_LOADING = 2
/** Rows of a page: reading one takes a few milliseconds of this process. */
const PAGE = 5_000
const POSTINGS_PAGE = 20_000
/** A posting, and its share of a term. */
const BYTES_PER_WORD = 8

interface Entry {
  index: OwnerIndex
  /** Counted in the total. */
  bytes: number
  /** The number of the recall that used it last. */
  usedAt: number
}

export interface OwnerIndexOptions {
  /** All owners together; 0: none is kept. */
  maxBytes: number
  loadAt?: number
  /** Called when an index cannot be loaded. */
  onError?: (error: unknown) => void
}

/** The size of the indexes, for the metrics. */
export interface OwnerIndexReport {
  owners: number
  bytes: number
}

export type OwnerIndexes = ReturnType<typeof createOwnerIndexes>

/**
 * The indexes of owners who recall often; those used longest ago are evicted first. Other servers write, too,
 * so a recall compares the owner's number of changes with that of the index, and refreshes it.
 */
export const createOwnerIndexes = (
  query: Query,
  model: VectorModel,
  { maxBytes, loadAt = LOAD_AT, onError = () => undefined }: OwnerIndexOptions,
) => {
  const entries = new Map<string, Entry>()
  let bytes = 0
  let recalls = 0
  const counted = new Map<string, { count: number; since: number }>()
  const loading = new Map<string, Promise<void>>()

  const evict = (ownerId: string): void => {
    bytes -= entries.get(ownerId)?.bytes ?? 0
    entries.delete(ownerId)
  }

  const put = (ownerId: string, index: OwnerIndex): void => {
    evict(ownerId)
    const entry = { index, bytes: index.bytes, usedAt: recalls }
    entries.set(ownerId, entry)
    bytes += entry.bytes
    for (const [oldest] of entries) {
      if (bytes <= maxBytes) break
      evict(oldest)
    }
  }

  /** Whether owners that recalled less recently than this one make room for it. */
  const fits = (wanted: number, since: number): boolean => {
    let free = maxBytes - bytes
    for (const entry of entries.values()) {
      if (free >= wanted) break
      if (entry.usedAt > since) return false
      free += entry.bytes
    }
    return free >= wanted
  }

  const load = async (ownerId: string, since: number): Promise<void> => {
    const stats = await readOwnerStats(query, ownerId)
    if (!stats || !fits(estimate(stats, model), since)) return
    const index = await loadIndex(query, ownerId, stats, model)
    // The pages are of different snapshots. Changes in between are read again.
    const isCurrent = await refreshIndex(query, ownerId, index, model)
    if (isCurrent && fits(index.bytes, since)) put(ownerId, index)
  }

  const startLoading = (ownerId: string, since: number): void => {
    if (loading.size >= MAX_LOADING || loading.has(ownerId)) return
    const work = runShared(() => load(ownerId, since))
      .catch(onError)
      .finally(() => loading.delete(ownerId))
    loading.set(ownerId, work)
  }

  /** Counts a recall. @returns since which recall, where the index is worth being loaded. */
  const dueSince = (ownerId: string): number | undefined => {
    const { count, since } = counted.get(ownerId) ?? { count: 0, since: recalls }
    counted.delete(ownerId)
    if (count + 1 >= loadAt) return since
    counted.set(ownerId, { count: count + 1, since })
    const [oldest] = counted.keys()
    if (oldest && counted.size > MAX_COUNTED) counted.delete(oldest)
    return undefined
  }

  return {
    /** The index of an owner, as of its number of changes; undefined where PostgreSQL is to be searched. */
    get(ownerId: string): OwnerIndex | undefined {
      if (maxBytes === 0) return undefined
      recalls++
      const entry = entries.get(ownerId)
      if (entry) {
        entry.usedAt = recalls
        entries.delete(ownerId)
        entries.set(ownerId, entry)
        if (entry.index.isWorn) startLoading(ownerId, recalls)
        return entry.index
      }
      if (loading.size >= MAX_LOADING) return undefined
      const since = dueSince(ownerId)
      if (since !== undefined) startLoading(ownerId, since)
      return undefined
    },

    /**
     * Applies the changes since the last time.
     * @returns whether the index is current; it is evicted when there were too many changes.
     */
    async refresh(ownerId: string, index: OwnerIndex): Promise<boolean> {
      const isCurrent = await refreshIndex(query, ownerId, index, model)
      if (entries.get(ownerId)?.index !== index) return isCurrent
      if (isCurrent) put(ownerId, index)
      else evict(ownerId)
      return isCurrent
    },

    evict,

    /** Waits until the indexes that are being loaded are there. */
    async loaded(): Promise<void> {
      await Promise.all(loading.values())
    },

    report: (): OwnerIndexReport => ({ owners: entries.size, bytes }),
  }
}

/** Without the terms, whose number is not known before. */
const estimate = ({ memoryCount, wordCount }: OwnerStats, { dimensions }: VectorModel): number =>
  memoryCount * (BYTES_PER_MEMORY + bytesPerVector(dimensions)) + wordCount * BYTES_PER_WORD

/** Loads an index page by page, and yields to the event loop within pages. */
const loadIndex = async (
  query: Query,
  ownerId: string,
  stats: OwnerStats,
  model: VectorModel,
): Promise<OwnerIndex> => {
  const index = new OwnerIndex(stats, model.dimensions)
  for (let after = 0; ; ) {
    const page = await readEntries(query, { ownerId, after, limit: PAGE })
    for (const entry of page) index.append(entry)
    const last = page.at(-1)
    if (!last) break
    after = last[0]
  }
  const pacer = createPacer()
  for (let key = { term: '', seq: '0' }; ; ) {
    const page = await readPostings(query, { ownerId, limit: POSTINGS_PAGE, ...key })
    if (!page) break
    page.each((term, seq, frequency, length) => {
      const doc = index.find(seq)
      // A memory that was written meanwhile is among the changes.
      if (doc === undefined) return
      index.postings.append(term, doc, frequency)
      index.lengths[doc] = length
    })
    key = page.last
    if (pacer.isDue()) await pacer.yield()
  }
  for (let after = 0; ; ) {
    const page = await readVectors(query, { ownerId, model: model.id, after, limit: PAGE })
    if (!page) break
    for (const [i, seq] of page.seqs.entries()) {
      const doc = index.find(seq)
      if (doc !== undefined) index.vectors.set(doc, page.bits, page.values, i)
    }
    after = page.last
  }
  for (const [word, author] of await readAuthorWords(query, ownerId)) index.nameAuthor(word, author)
  index.finish()
  return index
}

/** @returns false when the changes since the index are not listed any more. */
const refreshIndex = async (
  query: Query,
  ownerId: string,
  index: OwnerIndex,
  model: VectorModel,
): Promise<boolean> => {
  const read = await readChanges(query, ownerId, model.id, index.stats.changeCount)
  if (!read) return false
  // Another recall may have refreshed it meanwhile: the older result must not replace the newer one.
  if (read.stats.changeCount <= index.stats.changeCount) return true
  for (const change of read.changes) applyChange(index, change)
  index.stats = read.stats
  return true
}

const applyChange = (
  index: OwnerIndex,
  { seq, entry, postings, authorWords, vector }: ChangedMemory,
): void => {
  if (!entry) {
    index.remove(seq)
    return
  }
  const doc = index.put(entry)
  for (const [term, frequency, length] of postings ?? []) {
    index.postings.add(term, doc, frequency)
    index.lengths[doc] = length
  }
  if (vector) index.vectors.set(doc, vector.bits, vector.values)
  const [, , , author] = entry
  if (author !== null) for (const word of authorWords ?? []) index.nameAuthor(word, author)
}
