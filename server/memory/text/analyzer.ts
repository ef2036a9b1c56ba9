import { normalForm } from '../../platform/text/normal.ts'
import { extractExactForms } from './exact-forms.ts'
import { irregularForms } from './irregular-forms.ts'
import { separateWords } from './segmentation.ts'
import { type Stemming, stemmingOf } from './stemming.ts'

/** Stored with each memory: those of an earlier version are analyzed again in the background (`backfills.ts`). */
export const ANALYZER_VERSION = 1

/** Marks the term of an exact form: no stem begins with it. */
export const EXACT_FORM_PREFIX = '='

/** Letters, marks and digits, also with apostrophes between them. */
// Reads each character once.
const RUN = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu
const APOSTROPHE = /['’]/u
/** A longer run is not a word. */
const MAX_WORD_CHARACTERS = 100
/** `isReadableFile` is also "is readable file". */
const CASE_CHANGE = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** The words of a text in lower case and in their order, with the parts of identifiers after each. */
export const wordsIn = async (text: string): Promise<string[]> => {
  const separated = await separateWords(normalForm(text))
  const words: string[] = []
  for (const run of separated.match(RUN) ?? []) {
    if (run.length > MAX_WORD_CHARACTERS) continue
    const word = run.toLowerCase()
    words.push(word)
    // Most words have at most a capital at their beginning.
    if (word.slice(1) === run.slice(1)) continue
    const parts = run.split(CASE_CHANGE)
    if (parts.length > 1) words.push(...parts.map((part) => part.toLowerCase()))
  }
  return words
}

/** The words of a name, as a question may have them. */
export const nameWords = (name: string): string[] =>
  (normalForm(name).match(RUN) ?? [])
    .flatMap((run) => run.split(APOSTROPHE))
    .map((word) => foldMarks(word.toLowerCase()))

/** The terms of a word: none for a stop word, several for one with an apostrophe. */
const termsOf = (word: string, { stem, stopWords }: Stemming): string[] => {
  if (stopWords.has(word)) return []
  const parts = APOSTROPHE.test(word) ? word.split(APOSTROPHE) : [word]
  return parts.flatMap((part) => (stopWords.has(part) ? [] : foldMarks(stem(part)) || []))
}

const ASCII = /^[\0-\x7f]*$/
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{Mn}+/gu

/** The word without the marks of Latin letters: "café" is found by "cafe". */
const foldMarks = (word: string): string =>
  ASCII.test(word)
    ? word
    : word.normalize('NFD').replace(LATIN_MARKS, '').replaceAll('ı', 'i').normalize('NFC')

/** The terms of a memory with their frequencies. */
export type Terms = ReadonlyMap<string, number>

/**
 * The terms of a text: its stems, and the exact forms of its codes, paths, addresses and emoji.
 * @param language as `detectLanguages` names it; of another one, the words are terms.
 */
export const analyze = async (text: string, language: string): Promise<Terms> => {
  const stemming = await stemmingOf(language)
  const terms = new Map<string, number>()
  for (const word of await wordsIn(text))
    for (const term of termsOf(word, stemming)) terms.set(term, (terms.get(term) ?? 0) + 1)
  for (const form of extractExactForms(text)) terms.set(EXACT_FORM_PREFIX + form, 1)
  return terms
}

/** As the column of a memory has them: a line for each frequency from 1 on, with its terms. */
export const encodeTerms = (terms: Terms): string => {
  const lines: string[][] = []
  for (const [term, frequency] of terms) {
    const place = Math.min(frequency, MAX_FREQUENCY) - 1
    while (lines.length <= place) lines.push([])
    lines[place]?.push(term)
  }
  return lines.map((line) => line.join(' ')).join('\n')
}

/** BM25 hardly tells more. */
const MAX_FREQUENCY = 100

/**
 * Reads what `encodeTerms` wrote.
 * @returns the length of the memory in words. Those of exact forms are counted as stems.
 */
export const readTerms = (
  encoded: string,
  visit: (term: string, frequency: number) => void,
): number => {
  let [length, frequency] = [0, 0]
  for (const line of encoded.split('\n')) {
    frequency++
    if (line === '') continue
    for (const term of line.split(' ')) {
      if (term.charCodeAt(0) !== EXACT_FORM) length += frequency
      visit(term, frequency)
    }
  }
  return Math.max(length, 1)
}

const EXACT_FORM = EXACT_FORM_PREFIX.charCodeAt(0)

/** A term of a question, with the places where its word stands. */
export type QuestionStem = [language: string, stem: string, positions: number[]]

/** A question as it is compared with the memories of an owner. */
export interface AnalyzedQuestion {
  stems: QuestionStem[]
  /** Its words, which are not stemmed. */
  words: [word: string, positions: number[]][]
  /** The places of words with a capital within a sentence: names, and nouns in German. */
  capitals: ReadonlySet<number>
  /** The irregular forms of a stem in a language. */
  forms(language: string, stem: string): readonly string[]
}

/** @param languages that the stems are wanted in, in this order. */
export const analyzeQuestion = async (
  question: string,
  languages: readonly string[],
): Promise<AnalyzedQuestion> => {
  const words = await wordsIn(question)
  const capitals = capitalsIn(question)
  const stems = await Promise.all(
    languages.map(async (language) => {
      const stemming = await stemmingOf(language)
      return placesOf(words, (word) => termsOf(word, stemming)).map(
        ([stem, places]): QuestionStem => [language, stem, places],
      )
    }),
  )
  return {
    stems: stems.flat(),
    words: placesOf(words, nameWords),
    capitals: new Set(words.keys().filter((place) => capitals.has(words[place] ?? ''))),
    forms: languages.includes('english') ? await irregularForms() : () => [],
  }
}

/** Ends what stands before the first word of a sentence. */
const SENTENCE_START = /(?:^|[.?!:…¿¡"“”„«»(\n])\s{0,9}$/u

/** The words with a capital that begin no sentence, in lower case. */
const capitalsIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { 0: word, index } of normalForm(text).matchAll(RUN))
    if (/^\p{Lu}/u.test(word) && !SENTENCE_START.test(text.slice(Math.max(0, index - 10), index)))
      found.add(word.toLowerCase())
  return found
}

const placesOf = (
  words: readonly string[],
  termsIn: (word: string) => string[],
): [term: string, places: number[]][] => {
  const places = new Map<string, number[]>()
  for (const [place, word] of words.entries())
    for (const term of termsIn(word)) {
      const known = places.get(term)
      if (known) known.push(place)
      else places.set(term, [place])
    }
  return [...places]
}
