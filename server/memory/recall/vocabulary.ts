import { comparable, likenessOf, partsOf, type Term } from '../text/likeness.ts'
import { bitCount, withCapacity } from './columns.ts'
import type { TermDictionary } from './term-dictionary.ts'

/** The terms that a word is replaced by; more say little. */
const MAX_ALIKE = 8

/** Finds the terms of an owner's memories that a word is like. */
export class Vocabulary {
  /** By term, 64 bits: one for each of its pairs of letters. They are made when a word is first compared. */
  #pairs = new Uint32Array(0)
  #count = 0

  constructor(readonly terms: TermDictionary) {}

  get bytes(): number {
    return this.#pairs.byteLength
  }

  /**
   * The terms that a word may stand for which is not among them, in groups: those most alike, or those of each part of
   * a compound.
   * @param isUsed whether a memory has a term.
   */
  alike(word: string, language: string, isUsed: (term: string) => boolean): string[][] {
    const form = comparable(word)
    if (form === undefined) return []
    const near = this.#near(form)
    const likeness = near.map((other) => likenessOf(form, other.form, language))
    for (const least of [4, 3, 2, 1]) {
      const found = near.filter(({ term }, i) => likeness[i] === least && isUsed(term))
      if (found.length) return [found.slice(0, MAX_ALIKE).map(({ term }) => term)]
    }
    const used = near.filter(({ term }) => isUsed(term))
    return partsOf(form, used, language).map((terms) => terms.slice(0, MAX_ALIKE))
  }

  /** The terms with a third of the pairs of letters of a word, or with pairs of it alone, or with all of them. */
  #near(form: string): Term[] {
    const [low = 0, high = 0] = pairsOf(form)
    const own = bitCount(low) + bitCount(high)
    const pairs = this.#readPairs()
    const found: Term[] = []
    for (let id = 0; id < this.terms.size; id++) {
      const [termLow, termHigh] = [pairs[2 * id] ?? 0, pairs[2 * id + 1] ?? 0]
      const shared = bitCount(low & termLow) + bitCount(high & termHigh)
      if (shared === 0) continue
      const others = bitCount(termLow) + bitCount(termHigh)
      if (3 * shared < Math.max(own, others) && shared < Math.min(own, others)) continue
      const term = this.terms.termOf(id)
      found.push({ term, form: comparable(term) ?? '' })
    }
    return found
  }

  /** The pairs of letters of all terms, also of those that came since. */
  #readPairs(): Uint32Array {
    this.#pairs = withCapacity(this.#pairs, 2 * this.terms.size)
    for (; this.#count < this.terms.size; this.#count++) {
      const form = comparable(this.terms.termOf(this.#count))
      if (form !== undefined) this.#pairs.set(pairsOf(form), 2 * this.#count)
    }
    return this.#pairs
  }
}

const pairsOf = (form: string): [low: number, high: number] => {
  let [low, high] = [0, 0]
  for (let i = 1; i < form.length; i++) {
    const place = (form.charCodeAt(i - 1) * 31 + form.charCodeAt(i)) & 63
    if (place < 32) low |= 1 << place
    else high |= 1 << (place - 32)
  }
  return [low >>> 0, high >>> 0]
}
