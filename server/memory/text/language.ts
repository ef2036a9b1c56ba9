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

/** Loaded on first use: it has a table of 2 MB, and the server starts without it. */
let loading: Promise<typeof import('eld/small')> | undefined
const detector = () => {
  loading ??= import('eld/small')
  return loading
}

/** Loads the language detector, so that the first memory does not wait for it. */
export const loadLanguageDetector = async (): Promise<void> => {
  await detector()
}

/**
 * The text search configurations that a text may be written in, likeliest first; `simple` for a language
 * that PostgreSQL has no stemmer for. Empty when the text is too short to decide.
 */
export const detectLanguages = async (text: string): Promise<string[]> => {
  const { eld } = await detector()
  const found = eld.detect(text.slice(0, MAX_CHARACTERS))
  if (!found.isReliable()) return []
  const scores = Object.entries(found.getScores()).toSorted(([, a], [, b]) => b - a)
  const best = scores[0]?.[1] ?? 0
  const likely = scores.filter(([, score]) => best - score < MARGIN)
  return [...new Set(likely.map(([code]) => CONFIGURATIONS[code] ?? 'simple'))]
}
