/** How the words of a language become terms. */
export interface Stemming {
  /** @param word in lower case. */
  stem(word: string): string
  stopWords: ReadonlySet<string>
}

type Loaded = [stem: { stemmer(word: string): string }, stop?: { stopwords: string[] }]

/**
 * The languages with a stemmer, by the names that memories store. The stemmers are those of Snowball, the stop words
 * mostly too; `simple` has none.
 */
const LANGUAGES: Record<string, () => Promise<Loaded>> = {
  arabic: () => Promise.all([import('@orama/stemmers/arabic'), import('@orama/stopwords/arabic')]),
  armenian: () =>
    Promise.all([import('@orama/stemmers/armenian'), import('@orama/stopwords/armenian')]),
  bulgarian: () =>
    Promise.all([import('@orama/stemmers/bulgarian'), import('@orama/stopwords/bulgarian')]),
  danish: () => Promise.all([import('@orama/stemmers/danish'), import('@orama/stopwords/danish')]),
  dutch: () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
  english: () =>
    Promise.all([import('@orama/stemmers/english'), import('@orama/stopwords/english')]),
  finnish: () =>
    Promise.all([import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')]),
  french: () => Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
  german: () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
  greek: () => Promise.all([import('@orama/stemmers/greek'), import('@orama/stopwords/greek')]),
  hindi: () => Promise.all([import('@orama/stemmers/indian'), import('@orama/stopwords/indian')]),
  hungarian: () =>
    Promise.all([import('@orama/stemmers/hungarian'), import('@orama/stopwords/hungarian')]),
  indonesian: () =>
    Promise.all([import('@orama/stemmers/indonesian'), import('@orama/stopwords/indonesian')]),
  irish: () => Promise.all([import('@orama/stemmers/irish'), import('@orama/stopwords/irish')]),
  italian: () =>
    Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
  lithuanian: () =>
    Promise.all([import('@orama/stemmers/lithuanian'), import('@orama/stopwords/lithuanian')]),
  nepali: () => Promise.all([import('@orama/stemmers/nepali'), import('@orama/stopwords/nepali')]),
  norwegian: () =>
    Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
  portuguese: () =>
    Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
  romanian: () =>
    Promise.all([import('@orama/stemmers/romanian'), import('@orama/stopwords/romanian')]),
  russian: () =>
    Promise.all([import('@orama/stemmers/russian'), import('@orama/stopwords/russian')]),
  serbian: () =>
    Promise.all([import('@orama/stemmers/serbian'), import('@orama/stopwords/serbian')]),
  spanish: () =>
    Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
  swedish: () =>
    Promise.all([import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')]),
  tamil: () => Promise.all([import('@orama/stemmers/tamil'), import('@orama/stopwords/tamil')]),
  turkish: () =>
    Promise.all([import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')]),
  ukrainian: () =>
    Promise.all([import('@orama/stemmers/ukrainian'), import('@orama/stopwords/ukrainian')]),
}

const SIMPLE: Stemming = { stem: (word) => word, stopWords: new Set() }

const loaded = new Map<string, Promise<Stemming>>()

/** The stemming of a language, which is loaded at its first use; of one without a stemmer, words are terms. */
export const stemmingOf = (language: string): Promise<Stemming> => {
  const load = LANGUAGES[language]
  if (!load) return Promise.resolve(SIMPLE)
  const known = loaded.get(language) ?? load().then((parts) => toStemming(language, parts))
  loaded.set(language, known)
  return known
}

/** Those of Snowball that the package lacks. */
const MORE_STOP_WORDS: Record<string, readonly string[]> = { english: ['a', 'don', 'just', 'now'] }

/** Stop words of the package that name a month; the Romanian "mai" and the like are other words far more often. */
const MONTHS: Record<string, string> = { arabic: 'مايو', bulgarian: 'май', english: 'may' }

/** Stems that are known: a word of a language occurs in many texts. */
const MAX_KNOWN = 20_000

const toStemming = (language: string, [{ stemmer }, stop]: Loaded): Stemming => {
  const known = new Map<string, string>()
  const stopWords = new Set([...(stop?.stopwords ?? []), ...(MORE_STOP_WORDS[language] ?? [])])
  // The end of "it's" and "don't", which are stop words as a whole.
  for (const word of stop?.stopwords ?? []) {
    const [, end] = word.split("'")
    if (end) stopWords.add(end)
  }
  stopWords.delete(MONTHS[language] ?? '')
  return {
    stopWords,
    stem(word) {
      const found = known.get(word)
      if (found !== undefined) return found
      if (known.size === MAX_KNOWN) known.clear()
      const stem = stemmer(word)
      known.set(word, stem)
      return stem
    },
  }
}
