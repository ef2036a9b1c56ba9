import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'

/** A stem of the question, with the places where it stands. */
export type QuestionStem = [language: string, stem: string, positions: number[]]

/** The question as PostgreSQL stems it, and the owner's number of changes at this time. */
export interface StemmedQuestion {
  changeCount: number
  stems: QuestionStem[]
  /** Its words, which are not stemmed. */
  words: [word: string, positions: number[]][]
}

const STEMS = `
select s.change_count::float8 as "changeCount", (
    select json_agg(json_build_array(l.language, w.lexeme, w.positions))
    from unnest(:languages::text[]) l(language)
    cross join unnest(to_tsvector(l.language::regconfig, :question)) w
  ) as stems, (
    select json_agg(json_build_array(lexeme, positions)) from unnest(to_tsvector('simple', :question))
  ) as words
from memory_stats s where owner_id = :ownerId`

/**
 * @param languages the text search configurations that the stems are wanted in, in this order.
 * @returns undefined where the owner has no memories.
 */
export const stemQuestion = async (
  query: Query,
  ownerId: string,
  question: string,
  languages: readonly string[],
): Promise<StemmedQuestion | undefined> => {
  const [row] = await namedQuery<{
    changeCount: number | string
    stems: StemmedQuestion['stems'] | null
    words: StemmedQuestion['words'] | null
  }>(query, STEMS, { ownerId, question, languages: `{${languages.join()}}` })
  return (
    row && { changeCount: Number(row.changeCount), stems: row.stems ?? [], words: row.words ?? [] }
  )
}

/** The irregular forms of words, by language and term. They are the same for all owners. */
export type WordForms = ReadonlyMap<string, readonly string[]>

export const wordFormKey = (language: string, term: string): string => `${language} ${term}`

export const readWordForms = async (query: Query): Promise<WordForms> => {
  const rows = await query<{ language: string; term: string; forms: string[] }>(
    'select language, term, json_agg(form) as forms from word_forms group by language, term',
    [],
  )
  return new Map(rows.map(({ language, term, forms }) => [wordFormKey(language, term), forms]))
}
