import { mapYielding } from '../../platform/event-loop.ts'
import { ANALYZER_VERSION, analyze, encodeTerms } from '../text/analyzer.ts'

/** Reads the numbers of an owner's memories by their language. */
export type CountLanguages = (ownerId: string) => Promise<Record<string, number>>

/** A text with the languages that it may be written in, likeliest first. */
interface WrittenText {
  content_text: string
  languages: string[]
}

export type WithTerms<T> = Omit<T, 'languages'> & {
  language: string
  terms: string
  terms_version: number
}

/**
 * Adds the language and the terms of texts: the main language of the owner's memories if it is among the likely
 * ones or none is known, otherwise the likeliest.
 */
export const withTerms = async <T extends WrittenText>(
  countLanguages: CountLanguages,
  ownerId: string,
  texts: readonly T[],
): Promise<WithTerms<T>[]> => {
  const isOpen = texts.some(({ languages }) => languages.length !== 1)
  const main = isOpen ? mainLanguage(await countLanguages(ownerId)) : undefined
  return mapYielding(texts, async ({ languages, ...text }) => {
    const language = chooseLanguage(languages, main ?? DEFAULT_LANGUAGE)
    const terms = encodeTerms(await analyze(text.content_text, language))
    return { ...text, language, terms, terms_version: ANALYZER_VERSION }
  })
}

/** The terms of a memory. One that an earlier version wrote has its content instead. */
export interface StoredTerms {
  terms: string | null
  language: string
  content: string | null
}

/** The terms of a memory, which are made where an earlier version wrote it. */
export const termsOf = async ({ terms, language, content }: StoredTerms): Promise<string> =>
  terms ?? encodeTerms(await analyze(content ?? '', language))

const DEFAULT_LANGUAGE = 'english'

/** The most frequent language of an owner's memories, by their number in each; English before there are any. */
export const mainLanguage = (counts: Record<string, number>): string =>
  Object.entries(counts).toSorted(
    ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
  )[0]?.[0] ?? DEFAULT_LANGUAGE

/** The main language if it is among the likely ones or none is known, otherwise the likeliest. */
export const chooseLanguage = (likely: readonly string[], main: string): string =>
  likely.length === 0 || likely.includes(main) ? main : (likely[0] ?? main)
