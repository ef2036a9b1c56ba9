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
/** The weight of terms that are only like a word of the question, which no memory has. */
const ALIKE_WEIGHT = 0.5
/** The weight, for what a question is about, of a word without a capital beside one with it: a name, or a German noun. */
const LOWER_CASE_WEIGHT = 0.4
/** The words of a question for which terms alike are searched: a prompt may have thousands. */
const MAX_REPLACED = 8
/** A longer question is ranked by its rarest terms. */
const MAX_TERMS = 200

/** A variant of a query term that occurs in memories. */
export interface WeightedTerm {
  queryTerm: number
  term: string
  isName: boolean
  idf: number
  /** See `QueryTerm`. */
  weight: number
}

/** The terms of a question, weighed among an owner's memories. */
export interface QuestionTerms extends Pick<CandidateSet, 'terms' | 'namedAuthors' | 'unknown'> {
  /** In the order of their idf, the rarest first. */
  weighted: WeightedTerm[]
}

interface QueryTermOf {
  term: string
  /** Undefined for an exact form. */
  positions: number[] | undefined
  isName: boolean
  weight: number
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
  { stems, words, capitals, forms }: AnalyzedQuestion,
  { languages, exactForms }: Pick<RecallQuestion, 'languages' | 'exactForms'>,
  index: Pick<OwnerIndex, 'stats' | 'liveCount' | 'authorsNamed' | 'postings'>,
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
      weight: places.some((place) => capitals.has(place)) ? 1 : LOWER_CASE_WEIGHT,
    })),
    ...exactForms.map((form) => ({
      term: EXACT_FORM_PREFIX + form,
      positions: undefined,
      isName: false,
      weight: 1,
    })),
  ]
  const groups = queryTerms.map(
    (each, i): TermGroup => ({
      queryTerm: i + 1,
      isName: each.isName,
      terms: [...variantsOf(each, language, stems, forms)].filter(count),
      share: each.isName ? NAME_WEIGHT : 1,
      weight: each.weight,
    }),
  )
  const missing = queryTerms.filter(
    ({ positions: places, isName }, i) => places && !isName && !groups[i]?.terms.length,
  )
  const alike = replace(missing.slice(0, MAX_REPLACED), (term) =>
    index.postings.vocabulary.alike(term, language, (each) => count(each) > 0),
  )
  const numbered = alike.groups.map((each, i) => ({ ...each, queryTerm: groups.length + i + 1 }))
  const n = Math.max(index.liveCount, 1)
  const weighted = weigh([...groups, ...numbered], n, count)
  return {
    weighted,
    terms: new Map(weighted.map(({ queryTerm, ...term }) => [queryTerm, term])),
    namedAuthors: namedFirst(mentions),
    unknown: {
      idf: idfOf(n, 1),
      count: missing.length - ALIKE_WEIGHT * alike.replaced.length,
      weight: weightOf(missing) - ALIKE_WEIGHT * weightOf(alike.replaced),
    },
  }
}

const weightOf = (terms: readonly QueryTermOf[]): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0)

/** The terms that stand for words which no memory has, as far as there are some. */
const replace = (missing: readonly QueryTermOf[], alike: (term: string) => string[][]) => {
  const found = missing
    .map((each) => ({ each, parts: alike(each.term) }))
    .filter(({ parts }) => parts.length > 0)
  return {
    replaced: found.map(({ each }) => each),
    groups: found.flatMap(({ each: { weight }, parts }) =>
      parts.map((terms) => ({
        isName: false,
        terms,
        share: ALIKE_WEIGHT / parts.length,
        weight: weight / parts.length,
      })),
    ),
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

/** Terms that count as one, such as the variants of a word. */
interface TermGroup extends Omit<WeightedTerm, 'term' | 'idf'> {
  /** Those that memories have. */
  terms: string[]
  /** The share of its idf that it scores. */
  share: number
}

const weigh = (groups: TermGroup[], n: number, count: (term: string) => number): WeightedTerm[] =>
  groups
    .filter(({ terms }) => terms.length > 0)
    .map(({ share, ...group }) => {
      const total = group.terms.reduce((sum, term) => sum + count(term), 0)
      return { ...group, idf: share * idfOf(n, total) }
    })
    .toSorted((a, b) => b.idf - a.idf || a.queryTerm - b.queryTerm)
    .slice(0, MAX_TERMS)
    .flatMap(({ terms, ...group }) => terms.map((term) => ({ ...group, term })))

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
