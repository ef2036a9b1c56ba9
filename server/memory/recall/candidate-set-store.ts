import type {
  AuthorStats,
  Candidate,
  CandidateSet,
  QueryTerm,
  TermPosting,
} from './candidate-set.ts'
import { idf } from './query-terms-store.ts'

/** One number takes less time to write and parse than six booleans. A filter is null where a column is. */
const FLAGS = `asks::int + 2 * ends_asking::int + 4 * (passes_filter is true)::int
  + 8 * is_at_named_time::int + 16 * is_live::int`

/**
 * The result of recall's statement: each table is an array of its columns, which costs PostgreSQL and
 * the driver far less than rows.
 */
const columnsOf = (table: string, columns: string[]): string =>
  `(select json_build_array(${columns.map((column) => `array_agg(${column})`)}) from ${table})`

/** Selects what `readCandidateSet` reads. */
export const SELECT_CANDIDATE_SET = `
select
  ${columnsOf('candidates', [
    'seq',
    'thread_no',
    'position',
    'author',
    'bytes',
    FLAGS,
  ])} as candidates,
  ${columnsOf('thread_ends', ['thread_no', 'last_position'])} as thread_ends,
  ${columnsOf('candidate_postings', ['query_term', 'seq', 'frequency', 'score'])} as postings,
  ${columnsOf('weighted_terms', ['query_term', 'idf', 'is_name'])} as terms,
  ${columnsOf('top_matches', ['seq'])} as top_matches,
  ${columnsOf('fact_sources', ['seq', 'rank'])} as fact_sources,
  ${columnsOf('author_stats', ['author', 'mean_bytes', 'question_share', 'answer_share'])} as author_stats,
  ${columnsOf('named_authors where rank = 1', ['author', 'is_alone'])} as named_authors,
  (
    select json_build_object('idf', ${idf('n', '1')}, 'count', (
      select count(*) from query_terms
      where positions is not null and not is_name
        and query_term not in (select query_term from weighted_terms)
    )) from stats
  ) as unknown_terms`

/** Reads the row of `SELECT_CANDIDATE_SET`. */
export const readCandidateSet = (row: Record<string, unknown>): CandidateSet => {
  const columns = (table: string): Columns =>
    (row[table] as (unknown[] | null)[]).map((column) => column ?? [])
  return {
    candidates: readCandidates(columns('candidates')),
    lastPositions: readPairs(columns('thread_ends')),
    postings: readPostings(columns('postings')),
    terms: readTerms(columns('terms')),
    topMatches: new Set(columns('top_matches')[0] as number[]),
    factRanks: readPairs(columns('fact_sources')),
    authorStats: readAuthorStats(columns('author_stats')),
    namedAuthors: readPairs(columns('named_authors')),
    unknown: (row.unknown_terms ?? { idf: 0, count: 0 }) as CandidateSet['unknown'],
  }
}

type Columns = unknown[][]

const at = <T>(column: T[], i: number): T => column[i] as T

const readPairs = <K, V>([keys, values]: Columns): Map<K, V> =>
  new Map((keys as K[]).map((key, i) => [key, at(values as V[], i)]))

const readCandidates = (columns: Columns): Candidate[] => {
  const [seqs, threads, positions, authors, bytes, flags] = columns as [
    number[],
    number[],
    number[],
    (string | null)[],
    number[],
    number[],
  ]
  return seqs.map((seq, i) => ({
    index: i,
    seq,
    thread: at(threads, i),
    position: at(positions, i),
    asks: (at(flags, i) & 1) !== 0,
    endsAsking: (at(flags, i) & 2) !== 0,
    author: at(authors, i),
    bytes: at(bytes, i),
    passesFilter: (at(flags, i) & 4) !== 0,
    isAtNamedTime: (at(flags, i) & 8) !== 0,
    isLive: (at(flags, i) & 16) !== 0,
  }))
}

const readPostings = (columns: Columns): TermPosting[] => {
  const [terms, seqs, frequencies, scores] = columns as [number[], number[], number[], number[]]
  return terms.map((queryTerm, i) => ({
    queryTerm,
    seq: at(seqs, i),
    frequency: at(frequencies, i),
    score: at(scores, i),
  }))
}

const readTerms = (columns: Columns): Map<number, QueryTerm> => {
  const [terms, idfs, areNames] = columns as [number[], number[], boolean[]]
  return new Map(terms.map((term, i) => [term, { idf: at(idfs, i), isName: at(areNames, i) }]))
}

const readAuthorStats = (columns: Columns): Map<string, AuthorStats> => {
  const [authors, meanBytes, questionShares, answerShares] = columns as [
    string[],
    number[],
    number[],
    number[],
  ]
  return new Map(
    authors.map((author, i) => [
      author,
      {
        meanBytes: at(meanBytes, i),
        questionShare: at(questionShares, i),
        answerShare: at(answerShares, i),
      },
    ]),
  )
}
