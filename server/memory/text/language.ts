import { detectLanguage } from './language-detector.ts'

/** The languages with a stemmer (`stemming.ts`), by ISO 639-1. */
const LANGUAGES: Record<string, string> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  lt: 'lithuanian',
  ms: 'indonesian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}

const languages = new Set([...Object.values(LANGUAGES), 'simple'])

/** Whether a name is one of these languages. */
export const isLanguage = (name: string | undefined): name is string =>
  name !== undefined && languages.has(name)

/** Languages whose scores differ by less than this are all likely. */
const MARGIN = 0.15
/** More text hardly changes the scores. */
const MAX_CHARACTERS = 1_000

/**
 * The languages that a text may be written in, likeliest first; `simple` for one without a stemmer. Empty when the text is too short to decide.
 */
export const detectLanguages = (text: string): string[] => {
  const found = detectLanguage(text.slice(0, MAX_CHARACTERS))
  const best = found[0]?.score ?? 0
  const likely = found.filter(({ score }) => best - score < MARGIN)
  return [...new Set(likely.map(({ code }) => LANGUAGES[code] ?? 'simple'))]
}
