import type { Database, Query } from '../../platform/db/database.ts'
import { runShared } from '../../platform/request-scope.ts'
import { createSharedRead } from '../../platform/shared-statements.ts'
import type { VectorModel } from '../memories/vectors.ts'
import { OwnerIndex, type OwnerStats } from './owner-index.ts'
import {
  readChanges,
  readEntries,
  readOwnerStats,
  readVectors,
  readVectorsOf,
} from './owner-index-store.ts'

/** Owners loaded at a time: others wait. */
const MAX_LOADING = 4
/** How often an owner is loaded again who meanwhile changed more than the changes that are kept. */
const MAX_ATTEMPTS = 3
/** Rows of a page: reading one takes a few milliseconds of this process. */
const PAGE = 2_000
/** How many vectors are asked for at a time. */
const VECTORS_PAGE = 2_000
/** The pause after a search for missing vectors. It doubles with each one that finds none, up to the second time. */
const VECTORS_PAUSE_MS = 200
const MAX_VECTORS_PAUSE_MS = 60_000

interface Entry {
  index: OwnerIndex
  /** Counted in the total. */
  bytes: number
  /** When memories without a vector are next asked for. */
  vectorsDueAt: number
  vectorsPauseMs: number
}

export interface OwnerIndexOptions {
  /** All owners together; a larger one is loaded for each of its recalls. */
  maxBytes: number
  /** Called when an index was loaded. */
  onLoad?: () => void
  /** Called when an index cannot be loaded again in the background. */
  onError?: (error: unknown) => void
}

/** The size of the indexes, for the metrics. */
export interface OwnerIndexReport {
  owners: number
  bytes: number
}

export type OwnerIndexes = ReturnType<typeof createOwnerIndexes>

/**
 * Reads the statistics of an owner. Recalls that meet share the statement, unless each is to see on a replica what was
 * acknowledged before it, or the owners are on several nodes.
 */
const statsReader = ({ reads, isDistributed }: Pick<Database, 'reads' | 'isDistributed'>) => {
  const runAll = (ownerIds: readonly string[]) => readOwnerStats(reads.query, ownerIds)
  const runOne = async (ownerId: string) => (await runAll([ownerId]))[0]
  return reads.replica || isDistributed ? runOne : createSharedRead({ runOne, runAll })
}

/**
 * The indexes of owners; those used longest ago are evicted first. Other servers write, too, so that each use
 * compares the owner's number of changes with that of the index.
 */
export const createOwnerIndexes = (
  database: Pick<Database, 'reads' | 'isDistributed'>,
  model: () => VectorModel | undefined,
  { maxBytes, onLoad = () => undefined, onError = () => undefined }: OwnerIndexOptions,
) => {
  const { query } = database.reads
  const readStats = statsReader(database)
  const entries = new Map<string, Entry>()
  let bytes = 0
  const loading = new Map<string, Promise<OwnerIndex>>()
  const limit = createLimit(MAX_LOADING)

  const evict = (ownerId: string): void => {
    bytes -= entries.get(ownerId)?.bytes ?? 0
    entries.delete(ownerId)
  }

  const put = (ownerId: string, index: OwnerIndex): void => {
    evict(ownerId)
    if (index.bytes > maxBytes) return
    const entry = { index, bytes: index.bytes, vectorsDueAt: 0, vectorsPauseMs: VECTORS_PAUSE_MS }
    entries.set(ownerId, entry)
    bytes += entry.bytes
    for (const [oldest] of entries) {
      if (bytes <= maxBytes) break
      evict(oldest)
    }
  }

  const load = (ownerId: string, stats: OwnerStats): Promise<OwnerIndex> => {
    const running = loading.get(ownerId)
    if (running) return running
    const work = runShared(() =>
      limit(async () => {
        const index = await loadIndex(query, ownerId, stats, model())
        put(ownerId, index)
        onLoad()
        return index
      }),
    ).finally(() => loading.delete(ownerId))
    loading.set(ownerId, work)
    return work
  }

  /** The index in memory of an owner, which becomes the one used last. */
  const use = (ownerId: string): OwnerIndex | undefined => {
    const entry = entries.get(ownerId)
    if (!entry || entry.index.model?.id !== model()?.id) return undefined
    entries.delete(ownerId)
    entries.set(ownerId, entry)
    return entry.index
  }

  /** Reads vectors that an engine has stored since the index was loaded. */
  const fillVectors = async (ownerId: string, index: OwnerIndex): Promise<void> => {
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
  }

  /** Applies the changes of an index. @returns false where it is to be loaded again. */
  const refresh = async (ownerId: string, index: OwnerIndex, stats: OwnerStats) => {
    if (index.stats.changeCount >= stats.changeCount) return true
    if (!(await refreshIndex(query, ownerId, index))) return false
    if (entries.get(ownerId)?.index === index) put(ownerId, index)
    return true
  }

  return {
    fillVectors,

    /** The index of an owner as the memories are now; undefined where there are none. */
    async open(ownerId: string): Promise<OwnerIndex | undefined> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const known = use(ownerId)?.stats.changeCount ?? 0
        const stats = await readStats(ownerId)
        // A backup was restored: its changes are not those that the index knows.
        if ((stats?.changeCount ?? 0) < known) evict(ownerId)
        if (!stats) return undefined
        const index = use(ownerId) ?? (await load(ownerId, stats))
        if (!(await refresh(ownerId, index, stats))) {
          evict(ownerId)
          continue
        }
        if (index.isWorn) load(ownerId, stats).catch(onError)
        return index
      }
      throw new Error('the memories of an owner change faster than they are loaded')
    },

    report: (): OwnerIndexReport => ({ owners: entries.size, bytes }),
  }
}

/** Runs at most so many at a time, in the order of the calls. */
const createLimit = (count: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Loads an index page by page. The pages are of different snapshots: changes in between are read again. */
const loadIndex = async (
  query: Query,
  ownerId: string,
  stats: OwnerStats,
  model: VectorModel | undefined,
): Promise<OwnerIndex> => {
  const index = new OwnerIndex(stats, model)
  const readPage = (after: number) => readEntries(query, { ownerId, after, limit: PAGE })
  for await (const page of pagesOf(readPage, (entries) => entries.at(-1)?.[0]))
    for (const entry of page) index.append(entry)
  if (model) {
    const { id } = model
    const readNext = (after: number) =>
      readVectors(query, { ownerId, model: id, after, limit: PAGE })
    for await (const page of pagesOf(readNext, (vectors) => vectors?.last))
      for (const [i, seq] of page.seqs.entries()) {
        const doc = index.find(seq)
        if (doc !== undefined) index.vectors.set(doc, page.bits, page.values, i)
      }
  }
  index.finish()
  return index
}

/** Reads pages, the next one while one is used. @param lastOf the key of its last row; undefined at the end. */
const pagesOf = async function* <Page>(
  read: (after: number) => Promise<Page>,
  lastOf: (page: Page) => number | undefined,
): AsyncGenerator<NonNullable<Page>> {
  for (let next = read(0); ; ) {
    const page = await next
    const last = lastOf(page)
    if (last === undefined || !page) return
    next = read(last)
    // Its error is thrown when it is awaited.
    next.catch(() => {})
    yield page
  }
}

/** @returns false when the changes since the index are not kept any more. */
const refreshIndex = async (query: Query, ownerId: string, index: OwnerIndex): Promise<boolean> => {
  const read = await readChanges(query, ownerId, index.model?.id ?? 0, index.stats.changeCount)
  if (!read) return false
  // Another recall may have refreshed it meanwhile: the older result must not replace the newer one.
  if (read.stats.changeCount <= index.stats.changeCount) return true
  for (const { seq, entry, vector } of read.changes) {
    if (!entry) {
      index.remove(seq)
      continue
    }
    const doc = index.put(entry)
    if (vector) index.vectors.set(doc, vector.bits, vector.values)
  }
  index.stats = read.stats
  return true
}
