import { type Database, fromRow } from '../../platform/db/database.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { memories } from '../memories/table.ts'
import { candidatesOf } from './candidates.ts'
import type { DateMention } from './dates.ts'
import { RANKING } from './ranking.ts'
import { type RecallFilter, type Scope, scopeOf } from './scope.ts'
import { wordsOf } from './words.ts'

/**
 * How many of the best memories by their own words are looked at further, for the number asked for:
 * few sizes, so that few plans are kept.
 */
const CANDIDATES = [40, 100, 200]
const CANDIDATES_PER_RESULT = 2
/** No question names more times. */
const MAX_DATES = 4

const LIVE_POSTINGS = 'memory_postings'
const ALL_POSTINGS = '(select * from memory_postings union all select * from memory_past_postings)'

/** Exact BM25 over the postings, and what the structure of conversations adds, in one statement. */
const recallQuery = (
  scope: Pick<Scope, 'live' | 'filters'>,
  postings: string,
  candidates: number,
): string => `
with ${wordsOf(postings)},
${candidatesOf(scope, postings, candidates)},
${RANKING}
select r.score, r.words, r.coverage, r.thread as thread_score, r.semantic, r.time,
  r.author as author_factor, r.dialogue, r.date, r.length, t.thread, m.*
from ranked r
cross join lateral (select * from memories where owner_id = $1 and seq = r.seq limit 1) m
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
order by r.score desc, r.seq desc`

export interface ScoredMemory {
  memory: MemoryWithThread
  score: number
  words: number
  coverage: number
  thread: number
  semantic: number
  time: number
  author: number
  dialogue: number
  date: number
  length: number
}

/** A memory that a model finds like the question. */
export interface Near {
  seq: number
  /** The cosine of their vectors. */
  similarity: number
}

export interface Question {
  text: string
  /** The configurations whose language it may be in, the likeliest first. */
  languages: string[]
  /** The times it names. */
  dates: DateMention[]
  limit: number
}

/** The best memories for a question, best first, in one round trip. */
export const recallMemories = async (
  database: Database,
  ownerId: string,
  question: Question,
  filter: RecallFilter,
  near: Near[] = [],
): Promise<ScoredMemory[]> => {
  const { values, ...scope } = scopeOf(filter, 7)
  const postings = filter.asOf ? ALL_POSTINGS : LIVE_POSTINGS
  const wanted = question.limit * CANDIDATES_PER_RESULT
  const candidates = CANDIDATES.find((size) => size >= wanted) ?? wanted
  const rows = await database.query(recallQuery(scope, postings, candidates), [
    ownerId,
    question.text,
    question.limit,
    JSON.stringify(question.dates.slice(0, MAX_DATES)),
    JSON.stringify(question.languages),
    JSON.stringify(near),
    ...values,
  ])
  return rows.map((row) => ({
    memory: { ...fromRow(memories, row), thread: row.thread as string | null },
    score: Number(row.score),
    words: Number(row.words),
    coverage: Number(row.coverage),
    thread: Number(row.thread_score),
    semantic: Number(row.semantic),
    time: Number(row.time),
    author: Number(row.author_factor),
    dialogue: Number(row.dialogue),
    date: Number(row.date),
    length: Number(row.length),
  }))
}
