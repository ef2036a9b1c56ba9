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
  readVectorsOf,
} from './owner-index-store.ts'
import { bytesPerVector } from './vector-column.ts'

/** An owner with at most so many memories is loaded at the first recall, which waits for that. */
const LOADED_AT_ONCE = 10_000
/**
 * The index of a larger owner is loaded at this recall. Loading it takes as long as many recalls in PostgreSQL, so
 * that it is not worth it for an owner who rarely recalls, or writes much between two recalls.
 */
const LOAD_AT = 3
/** Owners whose recalls are counted. */
const MAX_COUNTED = 10_000
/** Owners loaded at a time: others are searched in PostgreSQL. */
const MAX_LOADING = 4
/** Rows of a page: reading one takes a few milliseconds of this process. */
const PAGE = 5_000
const POSTINGS_PAGE = 20_000
/** How many vectors are asked for at a time. */
const VECTORS_PAGE = 2_000
/** The pause after a search for missing vectors. It doubles with each one that finds none, up to the second time. */
const VECTORS_PAUSE_MS = 200
const MAX_VECTORS_PAUSE_MS = 60_000
/** A posting, and its share of a term. */
const BYTES_PER_WORD = 8

interface Entry {
  index: OwnerIndex
  /** Counted in the total. */
  bytes: number
  /** The number of the recall that used it last. */
  usedAt: number
  /** When memories without a vector are next asked for. */
  vectorsDueAt: number
  vectorsPauseMs: number
}

export interface OwnerIndexOptions {
  /** All owners together; 0: none is kept. */
  maxBytes: number
  loadAt?: number
  loadedAtOnce?: number
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
  model: () => VectorModel | undefined,
  {
    maxBytes,
    loadAt = LOAD_AT,
    loadedAtOnce = LOADED_AT_ONCE,
    onError = () => undefined,
  }: OwnerIndexOptions,
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
    const entry = {
      index,
      bytes: index.bytes,
      usedAt: recalls,
      vectorsDueAt: 0,
      vectorsPauseMs: VECTORS_PAUSE_MS,
    }
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

  const load = async (ownerId: string, stats: OwnerStats, since: number): Promise<void> => {
    const current = model()
    if (!fits(estimate(stats, current), since)) return
    const index = await loadIndex(query, ownerId, stats, current)
    // The pages are of different snapshots. Changes in between are read again.
    const isCurrent = await refreshIndex(query, ownerId, index)
    if (isCurrent && fits(index.bytes, since)) put(ownerId, index)
  }

  const startLoading = (ownerId: string, stats: OwnerStats, since: number): Promise<void> => {
    const running = loading.get(ownerId)
    if (running) return running
    if (loading.size >= MAX_LOADING) return Promise.resolve()
    const work = runShared(() => load(ownerId, stats, since))
      .catch(onError)
      .finally(() => loading.delete(ownerId))
    loading.set(ownerId, work)
    return work
  }

  /** The index in use of an owner, which becomes the one used last. */
  const use = (ownerId: string): OwnerIndex | undefined => {
    const entry = entries.get(ownerId)
    if (!entry) return undefined
    if (entry.index.model?.id !== model()?.id) {
      evict(ownerId)
      return undefined
    }
    entry.usedAt = recalls
    entries.delete(ownerId)
    entries.set(ownerId, entry)
    return entry.index
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
    async open(ownerId: string): Promise<OwnerIndex | undefined> {
      if (maxBytes === 0) return undefined
      recalls++
      const index = use(ownerId)
      if (index) {
        if (index.isWorn) void startLoading(ownerId, index.stats, recalls)
        return index
      }
      const stats = await readOwnerStats(query, ownerId)
      if (!stats) return undefined
      if (stats.memoryCount <= loadedAtOnce) {
        await startLoading(ownerId, stats, recalls)
        return use(ownerId)
      }
      const since = dueSince(ownerId)
      if (since !== undefined) void startLoading(ownerId, stats, since)
      return undefined
    },

    /** Reads vectors that an engine has stored since the index was loaded. */
    async fillVectors(ownerId: string, index: OwnerIndex): Promise<void> {
      const entry = entries.get(ownerId)
      if (entry?.index !== index || !index.model || performance.now() < entry.vectorsDueAt) return
      const { changeCount } = index.stats
      const seqs = index.withoutVector(VECTORS_PAGE)
      const found = seqs.length
        ? await readVectorsOf(query, { ownerId, model: index.model.id, seqs })
        : []
      // A vector that was read before a change may be of the text before it.
      if (index.stats.changeCount !== changeCount) return
      for (const { seq, bits, values } of found) {
        const doc = index.find(seq)
        if (doc !== undefined) index.vectors.set(doc, bits, values)
      }
      entry.vectorsPauseMs = found.length
        ? VECTORS_PAUSE_MS
        : Math.min(2 * entry.vectorsPauseMs, MAX_VECTORS_PAUSE_MS)
      entry.vectorsDueAt = performance.now() + entry.vectorsPauseMs
    },

    /**
     * Applies the changes since the last time.
     * @returns whether the index is current; it is evicted when there were too many changes.
     */
    async refresh(ownerId: string, index: OwnerIndex): Promise<boolean> {
      const isCurrent = await refreshIndex(query, ownerId, index)
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
const estimate = ({ memoryCount, wordCount }: OwnerStats, model: VectorModel | undefined): number =>
  memoryCount * (BYTES_PER_MEMORY + (model ? bytesPerVector(model.dimensions) : 0)) +
  wordCount * BYTES_PER_WORD

/** Loads an index page by page, and yields to the event loop within pages. */
const loadIndex = async (
  query: Query,
  ownerId: string,
  stats: OwnerStats,
  model: VectorModel | undefined,
): Promise<OwnerIndex> => {
  const index = new OwnerIndex(stats, model)
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
  for (let after = 0; model; ) {
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
const refreshIndex = async (query: Query, ownerId: string, index: OwnerIndex): Promise<boolean> => {
  const read = await readChanges(query, ownerId, index.model?.id ?? 0, index.stats.changeCount)
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
