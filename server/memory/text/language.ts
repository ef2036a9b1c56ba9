import { detectLanguage } from './language-detector.ts'

/** Text search configurations that PostgreSQL has since version 15, by ISO 639-1. */
const CONFIGURATIONS: Record<string, string> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  lt: 'lithuanian',
  ms: 'indonesian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}

const languages = new Set([...Object.values(CONFIGURATIONS), 'simple'])

/** Whether a name is one of these configurations. */
export const isLanguage = (name: string | undefined): name is string =>
  name !== undefined && languages.has(name)

/** Languages whose scores differ by less than this are all likely. */
const MARGIN = 0.15
/** More text hardly changes the scores. */
const MAX_CHARACTERS = 1_000

/**
 * The text search configurations that a text may be written in, likeliest first; `simple` for a language
 * that PostgreSQL has no stemmer for. Empty when the text is too short to decide.
 */
export const detectLanguages = (text: string): string[] => {
  const found = detectLanguage(text.slice(0, MAX_CHARACTERS))
  const best = found[0]?.score ?? 0
  const likely = found.filter(({ score }) => best - score < MARGIN)
  return [...new Set(likely.map(({ code }) => CONFIGURATIONS[code] ?? 'simple'))]
}
