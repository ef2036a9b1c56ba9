import { chooseLanguage, mainLanguage } from '../memories/terms.ts'
import { type AnalyzedQuestion, EXACT_FORM_PREFIX } from '../text/analyzer.ts'
import type { CandidateSet } from './candidate-set.ts'
import type { OwnerIndex, OwnerStats } from './owner-index.ts'
import type { RecallQuestion } from './question.ts'

/**
 * The question is stemmed in at most this many languages of the owner's memories: first those it may be
 * written in, then the most frequent ones.
 */
const MAX_LANGUAGES = 8
/** The weight of an author's name as a term: its author says more of a memory than a name in its text. */
const NAME_WEIGHT = 0.5
/** A longer question is ranked by its rarest terms. */
const MAX_TERMS = 200

/** A variant of a query term that occurs in memories. */
export interface WeightedTerm {
  queryTerm: number
  term: string
  isName: boolean
  idf: number
}

/** The terms of a question, weighed among an owner's memories. */
export interface QuestionTerms extends Pick<CandidateSet, 'terms' | 'namedAuthors' | 'unknown'> {
  /** The language that the question is read in. */
  language: string
  /** In the order of their idf, the rarest first. */
  weighted: WeightedTerm[]
}

interface QueryTermOf {
  term: string
  /** Undefined for an exact form. */
  positions: number[] | undefined
  isName: boolean
}

/** The main language of the owner if it is among the likely ones or none is known, otherwise the likeliest. */
const questionLanguage = ({ languages }: OwnerStats, likely: readonly string[]): string =>
  chooseLanguage(
    likely.filter((language) => language in languages),
    mainLanguage(languages),
  )

/**
 * The languages that a question is stemmed in: first those that it may be written in, then the most frequent
 * ones of the owner's memories.
 */
export const stemLanguages = (stats: OwnerStats, likely: readonly string[]): string[] => {
  const languages = Object.entries(stats.languages)
    .toSorted(
      ([a, countOfA], [b, countOfB]) =>
        Number(likely.includes(b)) - Number(likely.includes(a)) ||
        countOfB - countOfA ||
        (a < b ? -1 : 1),
    )
    .slice(0, MAX_LANGUAGES)
    .map(([language]) => language)
  return languages.length ? languages : [questionLanguage(stats, likely)]
}

const idfOf = (n: number, df: number): number =>
  Math.log(1 + (n - Math.min(n, df) + 0.5) / (Math.min(n, df) + 0.5))

/**
 * Reads the terms of a question, and weighs them.
 * @param count the number of live memories with a term.
 */
export const readQuestionTerms = (
  { stems, words, forms }: AnalyzedQuestion,
  { languages, exactForms }: Pick<RecallQuestion, 'languages' | 'exactForms'>,
  index: Pick<OwnerIndex, 'stats' | 'liveCount' | 'authorsNamed'>,
  count: (term: string) => number,
): QuestionTerms => {
  const language = questionLanguage(index.stats, languages)
  const inLanguage = stems.filter(([each]) => each === language)
  const read = inLanguage.length ? inLanguage : stems
  const positions = new Set(read.flatMap(([, , places]) => places))
  const mentions = words
    .filter(([, places]) => places.some((place) => positions.has(place)))
    .flatMap(([word, places]) => index.authorsNamed(word).map((author) => ({ author, places })))
  const namePositions = new Set(mentions.flatMap(({ places }) => places))
  const queryTerms: QueryTermOf[] = [
    ...read.map(([, term, places]) => ({
      term,
      positions: places,
      isName: places.some((place) => namePositions.has(place)),
    })),
    ...exactForms.map((form) => ({
      term: EXACT_FORM_PREFIX + form,
      positions: undefined,
      isName: false,
    })),
  ]
  const n = Math.max(index.liveCount, 1)
  const weighted = weigh(queryTerms, (term) => variantsOf(term, language, stems, forms), n, count)
  const found = new Set(weighted.map(({ queryTerm }) => queryTerm))
  return {
    language,
    weighted,
    terms: new Map(weighted.map(({ queryTerm, idf, isName }) => [queryTerm, { idf, isName }])),
    namedAuthors: namedFirst(mentions),
    unknown: {
      idf: idfOf(n, 1),
      count: queryTerms.filter(
        ({ positions: places, isName }, i) => places && !isName && !found.has(i + 1),
      ).length,
    },
  }
}

/** A term with its irregular forms, and its stems in the owner's other languages. */
const variantsOf = (
  { term, positions }: QueryTermOf,
  language: string,
  stems: AnalyzedQuestion['stems'],
  forms: AnalyzedQuestion['forms'],
): Set<string> =>
  new Set([
    term,
    ...forms(language, term),
    ...(positions
      ? stems.flatMap(([, stem, places]) =>
          places.some((place) => positions.includes(place)) ? [stem] : [],
        )
      : []),
  ])

const weigh = (
  queryTerms: QueryTermOf[],
  variants: (term: QueryTermOf) => Set<string>,
  n: number,
  count: (term: string) => number,
): WeightedTerm[] => {
  const groups = queryTerms.flatMap((each, i) => {
    const counted = [...variants(each)].map((term) => ({ term, df: count(term) }))
    const occurring = counted.filter(({ df }) => df > 0)
    const total = occurring.reduce((sum, { df }) => sum + df, 0)
    const { isName } = each
    const idf = idfOf(n, total) * (isName ? NAME_WEIGHT : 1)
    return occurring.length ? [{ queryTerm: i + 1, isName, idf, occurring }] : []
  })
  return groups
    .toSorted((a, b) => b.idf - a.idf || a.queryTerm - b.queryTerm)
    .slice(0, MAX_TERMS)
    .flatMap(({ occurring, ...group }) => occurring.map(({ term }) => ({ ...group, term })))
}

/** The authors whose names stand first in the question: whether it names no other. */
const namedFirst = (
  mentions: { author: string; places: number[] }[],
): CandidateSet['namedAuthors'] => {
  const firsts = new Map<string, number>()
  for (const { author, places } of mentions)
    firsts.set(author, Math.min(firsts.get(author) ?? Number.POSITIVE_INFINITY, places[0] ?? 0))
  const first = Math.min(...firsts.values())
  return new Map(
    [...firsts]
      .filter(([, place]) => place === first)
      .map(([author]) => [author, firsts.size === 1]),
  )
}
