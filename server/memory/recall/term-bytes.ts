import { EXACT_FORM_PREFIX } from '../text/analyzer.ts'
import { EMPTY_HASH, hashByte } from './term-dictionary.ts'

const SPACE = 0x20
const LINE = 0x0a
const EXACT_FORM = EXACT_FORM_PREFIX.charCodeAt(0)

/**
 * Reads what `encodeTerms` wrote, from its UTF-8.
 * @param visit gets where each term begins and ends, its hash (`hashByte`) and its frequency.
 * @returns as `readTerms`.
 */
export const readTermBytes = (
  encoded: Uint8Array,
  visit: (from: number, to: number, hash: number, frequency: number) => void,
): number => {
  let [length, frequency, from, hash] = [0, 1, 0, EMPTY_HASH]
  for (let at = 0; at <= encoded.length; at++) {
    const byte = at < encoded.length ? (encoded[at] ?? LINE) : LINE
    if (byte !== SPACE && byte !== LINE) {
      hash = hashByte(hash, byte)
      continue
    }
    if (at > from) {
      if (encoded[from] !== EXACT_FORM) length += frequency
      visit(from, at, hash, frequency)
    }
    if (byte === LINE) frequency++
    from = at + 1
    hash = EMPTY_HASH
  }
  return Math.max(length, 1)
}
