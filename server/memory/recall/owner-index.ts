import { MEMORY_TYPES, TRUST_LEVELS, type Trust } from '../../../shared/contract/memories.ts'
import { foldLabel } from '../../../shared/labels.ts'
import type { VectorModel } from '../memories/vectors.ts'
import { nameWords } from '../text/analyzer.ts'
import type { AuthorStats } from './candidate-set.ts'
import { withCapacity } from './columns.ts'
import { PostingsIndex } from './postings-index.ts'
import { VectorColumn } from './vector-column.ts'

/** The bits of a memory's flags. */
export const Flag = {
  asks: 1,
  endsAsking: 2,
  isLive: 4,
  followsQuestion: 16,
  /** It is known whether it follows a question: the statistics of its author count it. */
  isCounted: 32,
  /** Deleted, or replaced by a later entry. */
  isRemoved: 256,
} as const
export const NONE = -1

/** A memory that is not deleted, as `owner-index-store.ts` selects it. */
export type MemoryEntry = [
  seq: number,
  threadNo: number,
  position: number,
  author: string | null,
  agentSlug: string | null,
  project: string | null,
  /** When it happened, in microseconds. */
  at: number,
  bytes: number,
  flags: number,
  /** The places in `MEMORY_TYPES` and `TRUST_LEVELS`, from 1. */
  type: number,
  trust: number,
  /** See `encodeTerms`, as UTF-8. */
  terms: Uint8Array,
]

/** The statistics of an owner's live memories at one number of changes. */
export interface OwnerStats {
  changeCount: number
  memoryCount: number
  /** The number of memories by language. */
  languages: Record<string, number>
}

interface AuthorCounts {
  memories: number
  bytes: number
  questions: number
  answers: number
}

/** Columns of 8, 8, 4, 4, 4, 4, 8, 4, 2, 2, 1 and 1 bytes, and the place in its thread. */
export const BYTES_PER_MEMORY = 50 + 8
const BYTES_PER_THREAD = 120

/**
 * Everything that recall reads of an owner's memories to find and rank candidates, in typed arrays. An entry
 * keeps its place, its document number: a change of a memory removes its entry and adds another one.
 */
export class OwnerIndex {
  readonly postings = new PostingsIndex()
  readonly vectors: VectorColumn
  /** The words of the names of authors. */
  readonly #authorsByWord = new Map<string, Set<string>>()
  stats: OwnerStats
  count = 0
  /** Live memories, and their words. */
  liveCount = 0
  #liveWords = 0
  /** Entries that were loaded, in the order of `seq`. */
  #loaded = 0
  #removed = 0
  readonly #added = new Map<number, number>()

  seqs = new Float64Array(0)
  threads = new Float64Array(0)
  positions = new Int32Array(0)
  authors = new Int32Array(0)
  agents = new Int32Array(0)
  projects = new Int32Array(0)
  times = new Float64Array(0)
  sizes = new Int32Array(0)
  /** In words. */
  lengths = new Uint16Array(0)
  flags = new Uint16Array(0)
  types = new Uint8Array(0)
  trusts = new Uint8Array(0)

  readonly #authorIds = new Map<string, number>()
  readonly #authorNames: string[] = []
  readonly #authorsByLabel = new Map<string, Set<number>>()
  readonly #authorCounts = new Map<string, AuthorCounts>()
  readonly #agentIds = new Map<string, number>()
  /** The numbers that stand for projects in their column. */
  readonly projectIds = new Map<string, number>()
  /** The documents of each thread by position, and then by `seq`. */
  readonly #threads = new Map<number, number[]>()
  /** Threads that were loaded in another order. */
  readonly #unsorted = new Set<number>()

  /** @param model of the vectors; undefined: there are none. */
  constructor(
    stats: OwnerStats,
    readonly model: VectorModel | undefined,
  ) {
    this.stats = stats
    this.vectors = new VectorColumn(model?.dimensions ?? 0)
  }

  get bytes(): number {
    return (
      this.count * BYTES_PER_MEMORY +
      this.#threads.size * BYTES_PER_THREAD +
      this.postings.bytes +
      this.vectors.bytes
    )
  }

  /** Whether so much has changed that it is worth to be loaded again. */
  get isWorn(): boolean {
    return (
      this.count - this.#loaded > Math.max(1_000, this.#loaded / 4) ||
      this.#removed > this.count / 2
    )
  }

  /** Whether all postings and vectors are of live memories. */
  get isAllLive(): boolean {
    return this.liveCount === this.count
  }

  /** The mean length of live memories in words. */
  get meanLength(): number {
    return Math.max(this.#liveWords, 1) / Math.max(this.liveCount, 1)
  }

  /** Loads the next memory. Memories are loaded in the order of `seq`. */
  append(entry: MemoryEntry): number {
    const doc = this.#place(entry, true)
    this.#loaded = this.count
    return doc
  }

  /** Ends loading: sorts what was loaded, and releases what was reserved. */
  finish(): void {
    this.postings.finish()
    const byPosition = (a: number, b: number): number =>
      (this.positions[a] ?? 0) - (this.positions[b] ?? 0) ||
      (this.seqs[a] ?? 0) - (this.seqs[b] ?? 0)
    for (const threadNo of this.#unsorted) this.#threads.get(threadNo)?.sort(byPosition)
    this.#unsorted.clear()
    const { count } = this
    this.seqs = this.seqs.slice(0, count)
    this.threads = this.threads.slice(0, count)
    this.positions = this.positions.slice(0, count)
    this.authors = this.authors.slice(0, count)
    this.agents = this.agents.slice(0, count)
    this.projects = this.projects.slice(0, count)
    this.times = this.times.slice(0, count)
    this.sizes = this.sizes.slice(0, count)
    this.lengths = this.lengths.slice(0, count)
    this.flags = this.flags.slice(0, count)
    this.types = this.types.slice(0, count)
    this.trusts = this.trusts.slice(0, count)
  }

  /** Adds a memory after loading, or replaces its entry. @returns its document number. */
  put(entry: MemoryEntry): number {
    this.remove(entry[0])
    const doc = this.#place(entry, false)
    this.#added.set(entry[0], doc)
    return doc
  }

  remove(seq: number): void {
    const doc = this.find(seq)
    if (doc === undefined) return
    const flags = this.flags[doc] ?? 0
    this.#count(doc, flags, -1)
    this.flags[doc] = (flags | Flag.isRemoved) & ~Flag.isLive
    this.vectors.remove(doc)
    this.#removeVectorAfter(doc)
    this.#added.delete(seq)
    this.#removed++
  }

  /** The `seq` of live memories without a vector, the newest first. */
  withoutVector(limit: number): number[] {
    const found: number[] = []
    for (let doc = this.count - 1; doc >= 0 && found.length < limit; doc--)
      if (this.has(doc, Flag.isLive) && !this.vectors.has(doc)) found.push(this.seqs[doc] ?? 0)
    return found
  }

  /** The document number of a memory; undefined where there is none. */
  find(seq: number): number | undefined {
    const added = this.#added.get(seq)
    if (added !== undefined) return added
    let low = 0
    let high = this.#loaded
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.seqs[middle] ?? 0) < seq) low = middle + 1
      else high = middle
    }
    const isThere = low < this.#loaded && this.seqs[low] === seq && !this.has(low, Flag.isRemoved)
    return isThere ? low : undefined
  }

  has(doc: number, flag: number): boolean {
    return ((this.flags[doc] ?? 0) & flag) !== 0
  }

  /** The live documents with a term, of which at most `limit` are wanted. */
  docsWith(term: string, limit = Number.POSITIVE_INFINITY): number[] {
    const { start, end, added } = this.postings.of(term)
    const found: number[] = []
    for (let i = start; i < end && found.length < limit; i++) {
      const doc = this.postings.docs[i] ?? 0
      if (this.has(doc, Flag.isLive)) found.push(doc)
    }
    for (const doc of added?.docs ?? [])
      if (found.length < limit && this.has(doc, Flag.isLive)) found.push(doc)
    return found
  }

  authorOf(doc: number): string | null {
    return this.#authorNames[this.authors[doc] ?? NONE] ?? null
  }

  /** The numbers of the authors whose folded name is this one. */
  authorsLabelled(folded: string): ReadonlySet<number> {
    return this.#authorsByLabel.get(folded) ?? new Set()
  }

  /** The number that stands for an agent in its column; -1 for none. */
  agentId(agentSlug: string | null): number | undefined {
    return agentSlug === null ? NONE : this.#agentIds.get(agentSlug)
  }

  /** The authors of live memories with a word in their name. */
  authorsNamed(word: string): string[] {
    return [...(this.#authorsByWord.get(word) ?? [])].filter(
      (author) => (this.#authorCounts.get(author)?.memories ?? 0) > 0,
    )
  }

  statsOf(author: string | null): AuthorStats | undefined {
    const counts = this.#authorCounts.get(author ?? '')
    if (!counts?.memories) return undefined
    const { memories, bytes, questions, answers } = counts
    return {
      meanBytes: bytes / memories,
      questionShare: questions / memories,
      answerShare: answers / memories,
    }
  }

  /** The memories of a thread from one position to another, live and superseded ones. */
  between(threadNo: number, from: number, to: number): number[] {
    const docs = this.#threads.get(threadNo) ?? []
    const found: number[] = []
    for (let i = this.#placeOf(docs, from); i < docs.length; i++) {
      const doc = docs[i] ?? 0
      if ((this.positions[doc] ?? 0) > to) break
      if (!this.has(doc, Flag.isRemoved)) found.push(doc)
    }
    return found
  }

  lastPosition(threadNo: number): number {
    const docs = this.#threads.get(threadNo) ?? []
    const last = docs.findLast((doc) => !this.has(doc, Flag.isRemoved))
    return last === undefined ? 0 : (this.positions[last] ?? 0)
  }

  /** The vector of the next turn is made with the text of this one. It is asked for again. */
  #removeVectorAfter(doc: number): void {
    const threadNo = this.threads[doc] ?? 0
    const next = (this.positions[doc] ?? 0) + 1
    if (threadNo !== 0)
      for (const after of this.between(threadNo, next, next)) this.vectors.remove(after)
  }

  #place(entry: MemoryEntry, isLoading: boolean): number {
    const [seq, threadNo, position, author, agentSlug, project, ...rest] = entry
    const [at, bytes, flags, type, trust, terms] = rest
    const doc = this.count++
    this.#reserve(this.count)
    this.seqs[doc] = seq
    this.threads[doc] = threadNo
    this.positions[doc] = position
    this.authors[doc] = author === null ? NONE : this.#internAuthor(author)
    this.agents[doc] = agentSlug === null ? NONE : intern(this.#agentIds, agentSlug)
    this.projects[doc] = project === null ? NONE : intern(this.projectIds, project)
    this.times[doc] = at
    this.sizes[doc] = bytes
    this.flags[doc] = flags
    this.types[doc] = type
    this.trusts[doc] = trust
    const { postings } = this
    this.lengths[doc] = isLoading ? postings.append(terms, doc) : postings.add(terms, doc)
    if (threadNo !== 0) this.#joinThread(doc, threadNo, position, isLoading)
    this.#count(doc, flags, 1)
    return doc
  }

  #reserve(count: number): void {
    if (count <= this.seqs.length) return
    this.seqs = withCapacity(this.seqs, count)
    this.threads = withCapacity(this.threads, count)
    this.positions = withCapacity(this.positions, count)
    this.authors = withCapacity(this.authors, count)
    this.agents = withCapacity(this.agents, count)
    this.projects = withCapacity(this.projects, count)
    this.times = withCapacity(this.times, count)
    this.sizes = withCapacity(this.sizes, count)
    this.lengths = withCapacity(this.lengths, count)
    this.flags = withCapacity(this.flags, count)
    this.types = withCapacity(this.types, count)
    this.trusts = withCapacity(this.trusts, count)
  }

  #internAuthor(author: string): number {
    const id = intern(this.#authorIds, author)
    if (this.#authorNames[id] === undefined) {
      const label = foldLabel(author)
      this.#authorsByLabel.set(label, (this.#authorsByLabel.get(label) ?? new Set()).add(id))
      for (const word of nameWords(author))
        this.#authorsByWord.set(word, (this.#authorsByWord.get(word) ?? new Set()).add(author))
    }
    this.#authorNames[id] = author
    return id
  }

  /** Counts a live entry, also for its author. */
  #count(doc: number, flags: number, sign: 1 | -1): void {
    if ((flags & Flag.isLive) === 0) return
    this.liveCount += sign
    this.#liveWords += sign * (this.lengths[doc] ?? 0)
    if ((flags & Flag.isCounted) === 0) return
    const author = this.authorOf(doc) ?? ''
    const counts = this.#authorCounts.get(author) ?? {
      memories: 0,
      bytes: 0,
      questions: 0,
      answers: 0,
    }
    counts.memories += sign
    counts.bytes += sign * (this.sizes[doc] ?? 0)
    if (flags & Flag.endsAsking) counts.questions += sign
    if (flags & Flag.followsQuestion) counts.answers += sign
    this.#authorCounts.set(author, counts)
  }

  /** Where the documents of a thread from a position on begin. */
  #placeOf(docs: number[], position: number): number {
    let low = 0
    let high = docs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.positions[docs[middle] ?? 0] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  #joinThread(doc: number, threadNo: number, position: number, isLoading: boolean): void {
    const docs = this.#threads.get(threadNo)
    const last = docs?.at(-1)
    if (!docs) this.#threads.set(threadNo, [doc])
    else if (last === undefined || (this.positions[last] ?? 0) <= position) docs.push(doc)
    else if (isLoading) {
      this.#unsorted.add(threadNo)
      docs.push(doc)
    } else docs.splice(this.#placeOf(docs, position + 1), 0, doc)
  }
}

const intern = (ids: Map<string, number>, name: string): number => {
  const id = ids.get(name) ?? ids.size
  ids.set(name, id)
  return id
}

export const typeNumber = (type: string): number =>
  MEMORY_TYPES.findIndex((each) => each === type) + 1
export const trustNumber = (trust: Trust): number => TRUST_LEVELS.indexOf(trust) + 1
