import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { chooseLanguage, mainLanguage } from '../memories/index-store.ts'
import { filterConditions, includesPast, type RecallFilter } from './filter-store.ts'
import { hasMemories } from './query-terms-store.ts'

/** A search for the vectors nearest to one by their signs. */
export interface CodeSearch {
  ownerId: string
  model: number
  /** The signs of the vector, as PostgreSQL reads a bit string. */
  bits: string
  /** The number of signs that differ at most. */
  maxDistance: number
  maxCodes: number
  filter: RecallFilter
}

export interface StoredCode {
  seq: number
  embedding: Int8Array
}

interface CodeRow {
  seq: string
  embedding: Uint8Array
}

/** The lower bits of a rank are the `seq`, the upper ones the distance: one integer sorts fastest. */
const SEQ_BITS = 48
const RANK = `(bit_count(v.bits # :bits::bit varying) << ${SEQ_BITS}) | v.seq`
const SEQ_MASK = 2 ** SEQ_BITS - 1

/**
 * CTEs that compare all vectors of the owner by their signs.
 *
 * Bit strings of different lengths cannot be compared. The rank is computed after the condition on the
 * model, which prevents that, and once for each vector: its computation is most of the time of a search.
 */
const codeCtes = (filter: RecallFilter, condition = '') => {
  const { live, filters, values } = filterConditions(filter)
  const ctes = `${
    filters &&
    `filtered as materialized (
      select m.seq from memories m
      where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}
    ),`
  }
  nearest as materialized (
    select rank & ${SEQ_MASK} as seq
    from (
      select ${RANK} as rank from memory_vectors v
      where v.owner_id = :ownerId and v.model = :model ${includesPast(filter) ? '' : 'and not v.is_past'} ${condition}
        -- "is true" keeps this a lookup in a hash table, whatever sizes the planner expects.
        ${filters && 'and (v.seq in (select seq from filtered)) is true'}
      order by rank limit :maxCodes
    ) v
    where rank >> ${SEQ_BITS} <= :maxDistance
  ),
  codes as (
    select v.seq, v.embedding
    from nearest n cross join lateral (
      select seq, embedding from memory_vectors
      where owner_id = :ownerId and seq = n.seq and model = :model limit 1
    ) v
  )`
  return { ctes, values }
}

const readCode = ({ seq, embedding }: CodeRow): StoredCode => ({
  seq: Number(seq),
  embedding: new Int8Array(embedding),
})

export const findNearestCodes = async (
  query: Query,
  { filter, ...search }: CodeSearch,
): Promise<StoredCode[]> => {
  const { ctes, values } = codeCtes(filter)
  const rows = await namedQuery<CodeRow>(query, `with ${ctes} select * from codes`, {
    ...values,
    ...search,
  })
  return rows.map(readCode)
}

/** The question that a vector stands for. */
export interface VectorQuestion {
  words: readonly string[]
  /** The text search configurations that it may be written in, likeliest first. */
  languages: readonly string[]
  /** The language of the vectors: nothing is searched for a question in another one. */
  language: string
}

export interface LanguageSearchResult {
  codes: StoredCode[]
  /** The words of the question that are in names of authors. */
  names: string[]
  /** The text search configuration that the question is read in. */
  language: string
}

/** Reads the question among the owner's memories and searches, in one round trip. */
export const findNearestCodesInLanguage = async (
  query: Query,
  { filter, ...search }: CodeSearch,
  question: VectorQuestion,
): Promise<LanguageSearchResult> => {
  const { ctes, values } = codeCtes(filter, 'and (select language from read_question) = :language')
  const statement = `
    with stats as materialized (select languages from memory_stats where owner_id = :ownerId),
    main_language as materialized (${mainLanguage(':ownerId')}),
    read_question as materialized (
      select array(
          -- A lookup for each word: a join that was planned before the owner had many authors reads all pairs.
          select w.word from (select distinct jsonb_array_elements_text(:words::jsonb) as word) w
          cross join lateral (
            select from memory_authors a
            where owner_id = :ownerId and term = w.word and ${hasMemories('a')} limit 1
          ) named
        ) as names,
        ${chooseLanguage('l.likely', 'm.language')} as language
      from main_language m cross join (
        select array(
          select l from jsonb_array_elements_text(:languages::jsonb) l
          where (select languages from stats) ? l
        ) as likely
      ) l
    ),
    ${ctes}
    select r.names, r.language, c.seq, c.embedding from read_question r left join codes c on true`
  type Row = Pick<LanguageSearchResult, 'names' | 'language'> & (CodeRow | { seq: null })
  const rows = await namedQuery<Row>(query, statement, {
    ...values,
    ...search,
    language: question.language,
    words: JSON.stringify(question.words),
    languages: JSON.stringify(question.languages),
  })
  const [first] = rows
  if (!first) throw new Error('the statement returned no row')
  const codes = rows.filter((row): row is Row & CodeRow => row.seq !== null).map(readCode)
  return { codes, names: first.names, language: first.language }
}
