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

/** Whether memories can be searched in a language of this name. */
export const isLanguage = (name: string | undefined): name is string =>
  name !== undefined && languages.has(name)

/** A language is told apart from another only when it scores this much better. */
const MARGIN = 0.15
/** More of a text than this hardly changes what it looks like. */
const MAX_CHARACTERS = 1_000

/** One character may become eighteen; PostgreSQL takes a megabyte of stems at most. */
const MAX_SEARCHABLE_CHARACTERS = 64_000

/** Loaded when first needed: it is a table of two megabytes, and the server starts without it. */
let loading: Promise<typeof import('eld/small')> | undefined
const detector = () => {
  loading ??= import('eld/small')
  return loading
}

/** Loads what tells languages apart, so that the first memory need not wait for it. */
export const loadLanguages = async (): Promise<void> => {
  await detector()
}

/**
 * The text search configurations whose language a text may be in, the likeliest first; `simple` for
 * one that PostgreSQL has no stemmer for. Empty when it cannot be told, as of a word or two.
 */
export const languagesOf = async (text: string): Promise<string[]> => {
  const { eld } = await detector()
  const found = eld.detect(text.slice(0, MAX_CHARACTERS))
  if (!found.isReliable()) return []
  const scores = Object.entries(found.getScores()).toSorted(([, a], [, b]) => b - a)
  const best = scores[0]?.[1] ?? 0
  const likely = scores.filter(([, score]) => best - score < MARGIN)
  return [...new Set(likely.map(([code]) => CONFIGURATIONS[code] ?? 'simple'))]
}

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * What the words of a text are looked up by: one form of each character (NFKC), and a space between
 * words where the script has none.
 */
export const searchable = (text: string): string => {
  const normal = text.normalize('NFKC').slice(0, MAX_SEARCHABLE_CHARACTERS)
  if (!UNSPACED.test(normal)) return normal
  return Array.from(words.segment(normal), ({ segment }) => segment).join(' ')
}

/** The language that most of the owner's memories are in, and English before there are any. */
export const MAIN_LANGUAGE = `
  select coalesce((
    select key from memory_stats, jsonb_each_text(languages)
    where owner_id = $1 order by value::bigint desc, key limit 1
  ), 'english') as language`

/** The one of the likely languages that is taken, as SQL. */
export const languageOf = (likely: string, main: string) =>
  `case when ${main} = any(${likely}) or cardinality(${likely}) = 0 then ${main} else (${likely})[1] end`
