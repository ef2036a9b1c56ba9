import { readFileSync } from 'node:fs'
import { repositoryFile } from '../../platform/files.ts'

interface LanguageTable {
  /** The n-grams as numbers, ascending. */
  keys: Float64Array
  /** The end of the scores of each n-gram. */
  ends: Uint32Array
  languages: Uint8Array
  scores: Uint8Array
  /** The byte that stands for each byte of UTF-8. */
  bytes: Uint8Array
  /** The code of each language, and the score that its texts usually have. */
  codes: [code: string, usual: number][]
}

const FILE = repositoryFile('server/memory/text/eld/languages.bin')
const HEADER_BYTES = 16

/** Reads the file that `scripts/language-table.ts` writes. */
const read = (): LanguageTable => {
  // A copy of its own begins at an offset that the arrays can have.
  const { buffer } = new Uint8Array(readFileSync(FILE))
  const [keys = 0, scores = 0] = new Uint32Array(buffer, 0, 2)
  const ends = HEADER_BYTES + keys * Float64Array.BYTES_PER_ELEMENT
  const lists = ends + keys * Uint32Array.BYTES_PER_ELEMENT
  const bytes = lists + 2 * scores
  return {
    keys: new Float64Array(buffer, HEADER_BYTES, keys),
    ends: new Uint32Array(buffer, ends, keys),
    languages: new Uint8Array(buffer, lists, scores),
    scores: new Uint8Array(buffer, lists + scores, scores),
    bytes: new Uint8Array(buffer, bytes, 256),
    codes: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, bytes + 256))),
  }
}

let loaded: LanguageTable | undefined

/** Loaded on first use: 1.3 MB. */
const languageTable = (): LanguageTable => {
  loaded ??= read()
  return loaded
}

const SPACE = 0x20
/** An n-gram has four bytes, with a space before the first and after the last of a word. */
const NGRAM_BYTES = 4
const STRIDE = 3
const MAX_KEY_BYTES = NGRAM_BYTES + 2
const MAX_WORD_BYTES = 70
/** After so many bytes no word begins. */
const MAX_TEXT_BYTES = 350
/** After so many bytes the text ends, also within a word. */
const MAX_CUT_BYTES = 380
/** The table has the scores without this. */
const LEAST_SCORE = 53
/** Scales the mean score of an n-gram to 0 to 1. */
const SCALE = 25
const MIN_NGRAMS = 3
const USUAL_SHARE = 0.75

const BEYOND_BASIC = /[\u{10000}-\u{10ffff}]/gu
const NO_LETTERS = /[^\p{L}]+/gu
const APOSTROPHES = "'`’"

/** Keeps the apostrophes at the end of what separates words, and what has nothing else, as in "don't". */
const separatorOf = (separator: string): string => {
  let end = separator.length
  while (end > 0 && APOSTROPHES.includes(separator.charAt(end - 1))) end -= 1
  return end === 0 ? separator : ` ${separator.slice(end)}`
}

/** An n-gram of at most six bytes as a number. */
export const keyOf = (bytes: Uint8Array, start: number, end: number): number => {
  let key = 0
  for (let i = start; i < end; i++) key = key * 256 + (bytes[i] ?? 0)
  return key
}

interface Words {
  /** The words, each between two spaces. */
  text: Uint8Array
  /** The start and the end of each word. */
  places: number[]
}

/** The words of a text in bytes of UTF-8, of which only the first are read. */
const encodeWords = (text: string, bytes: Uint8Array): Words => {
  const cleaned = text.replace(BEYOND_BASIC, ' ').replace(NO_LETTERS, separatorOf)
  const lower = cleaned.trim().toLowerCase()
  const encoded = new Uint8Array(2 * MAX_CUT_BYTES)
  const places: number[] = []
  encoded[0] = SPACE
  let [start, end, count] = [1, 1, 0]
  const add = (byte: number) => {
    encoded[end++] = bytes[byte] ?? SPACE
    count += 1
  }
  const endWord = () => {
    if (end === start) return
    places.push(start, end)
    encoded[end++] = SPACE
    start = end
  }
  for (let i = 0; i < lower.length && count <= MAX_CUT_BYTES; i++) {
    const code = lower.charCodeAt(i)
    if (code === SPACE) {
      endWord()
      if (count > MAX_TEXT_BYTES) break
      count += 1
    } else if (code < 0x80) add(code)
    else {
      if (code < 0x800) add(0xc0 | (code >> 6))
      else {
        add(0xe0 | (code >> 12))
        add(0x80 | ((code >> 6) & 0x3f))
      }
      add(0x80 | (code & 0x3f))
    }
  }
  endWord()
  return { text: encoded, places }
}

/** The different n-grams of a text: those that the table can have by their key. */
const ngramsOf = ({ text, places }: Words): Set<number | string> => {
  const ngrams = new Set<number | string>()
  for (let i = 0; i < places.length; i += 2) {
    const [start = 0, end = 0] = places.slice(i, i + 2)
    const length = Math.min(end - start, MAX_WORD_BYTES)
    let at = 0
    for (; at + NGRAM_BYTES < length; at += STRIDE)
      ngrams.add(keyOf(text, start + at - (at === 0 ? 1 : 0), start + at + NGRAM_BYTES))
    const from = start + Math.max(0, length - NGRAM_BYTES) - (at === 0 ? 1 : 0)
    const rest = end + 1 - from
    // The rest of a very long word is none of the table, and counts.
    ngrams.add(
      rest > MAX_KEY_BYTES ? text.subarray(from, end).toString() : keyOf(text, from, end + 1),
    )
  }
  return ngrams
}

const indexOf = (keys: Float64Array, key: number): number => {
  let [low, high] = [0, keys.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = keys[middle] ?? 0
    if (found === key) return middle
    if (found < key) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export interface DetectedLanguage {
  code: string
  /** 0 to 1. */
  score: number
}

/**
 * Detects the language of the first 380 bytes of a text by its n-grams of bytes, with the result of ELD, the npm
 * package `eld` by Nito T.M. The package has an object for each n-gram: its lookups take four times as long, and
 * its data 60 MB of memory and 0.2 s to load.
 * @param text at most 1,000 characters.
 * @returns all languages that share an n-gram with it, best first; none where that is not reliable.
 */
export const detectLanguage = (text: string): DetectedLanguage[] => {
  const { keys, ends, languages, scores, bytes, codes } = languageTable()
  const ngrams = ngramsOf(encodeWords(text, bytes))
  const sums = new Float64Array(codes.length)
  for (const key of ngrams) {
    const index = typeof key === 'number' ? indexOf(keys, key) : -1
    if (index < 0) continue
    for (let i = index === 0 ? 0 : (ends[index - 1] ?? 0); i < (ends[index] ?? 0); i++) {
      const language = languages[i] ?? 0
      sums[language] = (sums[language] ?? 0) + (scores[i] ?? 0) + LEAST_SCORE
    }
  }
  const found = codes.flatMap(([code, usual], language) => {
    const mean = (sums[language] ?? 0) / ngrams.size
    return mean > 0 ? { code, usual, score: mean / (mean + SCALE) } : []
  })
  found.sort((a, b) => b.score - a.score)
  const [best] = found
  const isReliable = best && ngrams.size >= MIN_NGRAMS && best.score >= best.usual * USUAL_SHARE
  return isReliable ? found : []
}
