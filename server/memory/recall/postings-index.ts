import { withCapacity } from './columns.ts'
import { readTermBytes } from './term-bytes.ts'
import { TermDictionary } from './term-dictionary.ts'
import { Vocabulary } from './vocabulary.ts'

/** The postings of a term: those that were loaded, and those of memories that were added since. */
export interface TermPostings {
  start: number
  end: number
  added: AddedPostings | undefined
}

interface AddedPostings {
  docs: number[]
  frequencies: number[]
}

const NO_POSTINGS: TermPostings = { start: 0, end: 0, added: undefined }
/** A posting that was added, in arrays of its term. */
const BYTES_PER_ADDED = 88

/**
 * An inverted index in typed arrays. A document is a place in the columns of `OwnerIndex`; documents are
 * never renumbered, and removed ones keep their postings until the index is loaded again.
 */
export class PostingsIndex {
  /** The loaded postings, term by term, and by document within a term; while loading, in the order of documents. */
  docs = new Uint32Array(0)
  frequencies = new Uint8Array(0)
  #count = 0
  #starts = new Uint32Array(1)
  readonly #terms = new TermDictionary()
  readonly vocabulary = new Vocabulary(this.#terms)
  /** The term of each posting, while loading. */
  #loading: Uint32Array | undefined = new Uint32Array(0)
  /** By the number of the term. */
  readonly #added = new Map<number, AddedPostings>()
  #addedCount = 0

  get bytes(): number {
    const { byteLength } = this.docs
    const { bytes } = this.#terms
    return byteLength * 1.25 + bytes + this.vocabulary.bytes + this.#addedCount * BYTES_PER_ADDED
  }

  /**
   * Loads the next document. Documents are loaded in their order.
   * @param terms see `readTermBytes`.
   * @returns its length in words.
   */
  append(terms: Uint8Array, doc: number): number {
    return readTermBytes(terms, (from, to, hash, frequency) =>
      this.#append(this.#terms.intern(terms, from, to, hash), doc, frequency),
    )
  }

  #append(id: number, doc: number, frequency: number): void {
    const at = this.#count++
    if (at >= this.docs.length) {
      this.docs = withCapacity(this.docs, this.#count)
      this.frequencies = withCapacity(this.frequencies, this.#count)
      this.#loading = withCapacity(this.#loading ?? new Uint32Array(0), this.#count)
    }
    this.docs[at] = doc
    this.frequencies[at] = frequency
    if (this.#loading) this.#loading[at] = id
  }

  /** Ends loading: sorts the postings by their terms. */
  finish(): void {
    const { docs, frequencies } = this
    const terms = this.#loading ?? new Uint32Array(0)
    const starts = new Uint32Array(this.#terms.size + 1)
    for (let i = 0; i < this.#count; i++) {
      const next = (terms[i] ?? 0) + 1
      starts[next] = (starts[next] ?? 0) + 1
    }
    for (let id = 1; id < starts.length; id++)
      starts[id] = (starts[id] ?? 0) + (starts[id - 1] ?? 0)
    const places = starts.slice()
    this.docs = new Uint32Array(this.#count)
    this.frequencies = new Uint8Array(this.#count)
    for (let i = 0; i < this.#count; i++) {
      const id = terms[i] ?? 0
      const place = places[id] ?? 0
      this.docs[place] = docs[i] ?? 0
      this.frequencies[place] = frequencies[i] ?? 0
      places[id] = place + 1
    }
    this.#starts = starts
    this.#loading = undefined
  }

  /** Adds a document that comes after all loaded ones. @returns its length in words. */
  add(terms: Uint8Array, doc: number): number {
    return readTermBytes(terms, (from, to, hash, frequency) => {
      const id = this.#terms.intern(terms, from, to, hash)
      const added = this.#added.get(id) ?? { docs: [], frequencies: [] }
      added.docs.push(doc)
      added.frequencies.push(frequency)
      this.#added.set(id, added)
      this.#addedCount++
    })
  }

  /** The number of postings of a term, with those of removed documents. */
  countOf(term: string): number {
    const { start, end, added } = this.of(term)
    return end - start + (added?.docs.length ?? 0)
  }

  of(term: string): TermPostings {
    const id = this.#terms.find(term)
    if (id === undefined) return NO_POSTINGS
    const added = this.#added.get(id)
    // A term that is new since the index was loaded has no postings there.
    const end = this.#starts[id + 1]
    if (end === undefined) return { ...NO_POSTINGS, added }
    return { start: this.#starts[id] ?? 0, end, added }
  }

  /** How often a term with these postings is in a document; 0 where it is not. */
  frequencyIn({ start, end, added }: TermPostings, doc: number): number {
    let low = start
    let high = end
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.docs[middle] ?? 0) < doc) low = middle + 1
      else high = middle
    }
    if (low < end && this.docs[low] === doc) return this.frequencies[low] ?? 0
    const at = added ? added.docs.indexOf(doc) : -1
    return added?.frequencies[at] ?? 0
  }
}
