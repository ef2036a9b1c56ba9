import { withCapacity } from './columns.ts'

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
/** A key of a map, and where its postings start. */
const BYTES_PER_TERM = 88

/**
 * An inverted index in typed arrays. A document is a place in the columns of `OwnerIndex`; documents are
 * never renumbered, and removed ones keep their postings until the index is loaded again.
 */
export class PostingsIndex {
  /** The loaded postings, term by term, and by document within a term. */
  docs = new Uint32Array(0)
  frequencies = new Uint16Array(0)
  #count = 0
  #starts = new Uint32Array(1)
  #lastTerm: string | undefined
  readonly #terms = new Map<string, number>()
  readonly #added = new Map<string, AddedPostings>()
  #addedCount = 0

  get bytes(): number {
    const { byteLength } = this.docs
    return byteLength * 1.5 + this.#terms.size * BYTES_PER_TERM + this.#addedCount * BYTES_PER_TERM
  }

  /** Loads the next posting. Postings are loaded in the order of their terms and documents. */
  append(term: string, doc: number, frequency: number): void {
    if (term !== this.#lastTerm) {
      const id = this.#terms.size
      this.#terms.set(term, id)
      this.#starts = withCapacity(this.#starts, id + 2)
      this.#starts[id] = this.#count
      this.#lastTerm = term
    }
    this.docs = withCapacity(this.docs, this.#count + 1)
    this.frequencies = withCapacity(this.frequencies, this.#count + 1)
    this.docs[this.#count] = doc
    this.frequencies[this.#count] = frequency
    this.#starts[this.#terms.size] = ++this.#count
  }

  /** Releases what `append` reserved. */
  trim(): void {
    this.docs = this.docs.slice(0, this.#count)
    this.frequencies = this.frequencies.slice(0, this.#count)
    this.#starts = this.#starts.slice(0, this.#terms.size + 1)
  }

  /** Adds a posting of a document that comes after all loaded ones. */
  add(term: string, doc: number, frequency: number): void {
    const added = this.#added.get(term) ?? { docs: [], frequencies: [] }
    added.docs.push(doc)
    added.frequencies.push(frequency)
    this.#added.set(term, added)
    this.#addedCount++
  }

  of(term: string): TermPostings {
    const id = this.#terms.get(term)
    const added = this.#added.get(term)
    if (id === undefined) return added ? { ...NO_POSTINGS, added } : NO_POSTINGS
    return { start: this.#starts[id] ?? 0, end: this.#starts[id + 1] ?? 0, added }
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
