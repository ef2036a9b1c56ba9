import { withCapacity } from './columns.ts'

const MIN_SLOTS = 64
/** A column of the end, of the hash, and up to four slots. */
const BYTES_PER_TERM = 24

/**
 * Numbers terms from 0 on, in a hash table over their UTF-8: making a string of each term that is loaded, and hashing
 * that, takes longer than everything else.
 */
export class TermDictionary {
  size = 0
  /** The terms, one after the other, and where each ends. */
  #text = new Uint8Array(0)
  #ends = new Uint32Array(0)
  #hashes = new Uint32Array(0)
  /** The number of a term, from 1 on, at the first free place from its hash on. At least half of them are 0. */
  #slots = new Uint32Array(MIN_SLOTS)

  get bytes(): number {
    return this.#endOf(this.size - 1) + this.size * BYTES_PER_TERM
  }

  /** The number of a term; undefined for an unknown one. */
  find(term: string): number | undefined {
    const bytes = ENCODER.encode(term)
    const id = this.#slots[this.#slotOf(bytes, 0, bytes.length, hashOf(bytes))] ?? 0
    return id === 0 ? undefined : id - 1
  }

  /** The number of the term in a part of `bytes`, which becomes known. @param hash see `hashByte`. */
  intern(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const slot = this.#slotOf(bytes, from, to, hash)
    const known = this.#slots[slot] ?? 0
    if (known !== 0) return known - 1
    const id = this.size++
    const start = this.#endOf(id - 1)
    const end = start + to - from
    this.#text = withCapacity(this.#text, end)
    for (let i = from; i < to; i++) this.#text[start + i - from] = bytes[i] ?? 0
    this.#ends = withCapacity(this.#ends, this.size)
    this.#ends[id] = end
    this.#hashes = withCapacity(this.#hashes, this.size)
    this.#hashes[id] = hash
    this.#slots[slot] = this.size
    if (2 * this.size > this.#slots.length) this.#grow()
    return id
  }

  termOf(id: number): string {
    return DECODER.decode(this.#text.subarray(this.#endOf(id - 1), this.#endOf(id)))
  }

  #endOf(id: number): number {
    return id < 0 ? 0 : (this.#ends[id] ?? 0)
  }

  /** The place of a term, or the free one where it belongs. */
  #slotOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = placeOf(hash, mask); ; slot = (slot + 1) & mask) {
      const id = (slots[slot] ?? 0) - 1
      if (id < 0) return slot
      if (this.#hashes[id] === hash >>> 0 && this.#equals(id, bytes, from, to)) return slot
    }
  }

  #equals(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#endOf(id - 1)
    if (this.#endOf(id) - start !== to - from) return false
    for (let i = from; i < to; i++) if (this.#text[start + i - from] !== bytes[i]) return false
    return true
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let id = 0; id < this.size; id++) {
      let slot = placeOf(this.#hashes[id] ?? 0, mask)
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }
}

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()

/** The hash of no bytes (FNV-1a, 32 bits). */
export const EMPTY_HASH = 0x811c9dc5 | 0

/** The hash of the bytes before and one more. */
export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

const hashOf = (bytes: Uint8Array): number => bytes.reduce(hashByte, EMPTY_HASH)

/** The low bits of the hash depend on the last bytes only. */
const placeOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask
