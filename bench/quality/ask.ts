import type { Database } from '../../server/platform/db/database.ts'
import { recall, rememberBatch } from '../../shared/contract/index.ts'
import type { Account } from '../lib/server.ts'
import { mean, timed } from '../lib/stats.ts'
import type { Conversation, SourceQuestion } from './data.ts'

const LIMIT = 50
const BATCH = 500

/** Plain BM25 over the same postings with the same constants, without exact forms. */
const PLAIN = `
with terms as materialized (
  select q.lexeme as term, s.word_count::float8 / s.memory_count as mean_length,
    ln(1 + (s.memory_count - d.df + 0.5::float8) / (d.df + 0.5::float8)) as idf
  from memory_stats s, unnest(to_tsvector('english', $2)) q cross join lateral (
    select count(*) as df from memory_postings where owner_id = $1 and term = q.lexeme
  ) d
  where s.owner_id = $1
),
best as (
  select p.seq, sum(t.idf * p.frequency * 2.2::float8
    / (p.frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / t.mean_length))) as score
  from terms t join memory_postings p on p.owner_id = $1 and p.term = t.term
  group by p.seq order by score desc, p.seq limit ${LIMIT}
)
select m.memory_id from best b join memories m on m.owner_id = $1 and m.seq = b.seq
order by b.score desc, b.seq`

export interface Answer {
  conversation: string
  question: SourceQuestion
  /** The ranks of the evidence, from 1; infinity for missing evidence. */
  ranks: { recall: number[]; plain: number[] }
  ms: number
}

/** @returns the memory ids by the ids of the source. Equal texts in a thread have one memory. */
export const write = async (
  { client }: Account,
  { memories }: Conversation,
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (let start = 0; start < memories.length; start += BATCH) {
    const part = memories.slice(start, start + BATCH)
    const stored = await client.call(rememberBatch, {
      body: {
        memories: part.map(({ thread, author, occurredAt, content }) => ({
          content,
          thread,
          author,
          occurred_at: occurredAt,
          memory_type: 'episodic' as const,
        })),
      },
    })
    for (const [index, { id }] of part.entries())
      ids.set(id, stored.memories[index]?.memory_id ?? '')
  }
  return ids
}

export const ask = async (
  { client, userId }: Account,
  beside: Database,
  { name, questions }: Conversation,
  ids: Map<string, string>,
): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const question of questions) {
    const [ms, { memories }] = await timed(() =>
      client.call(recall, { body: { query: question.question, limit: LIMIT } }),
    )
    const plain = await beside.query<{ memory_id: string }>(PLAIN, [userId, question.question])
    const ranksIn = (found: { memory_id: string }[]) => {
      const rankOf = new Map(found.map(({ memory_id }, index) => [memory_id, index + 1]))
      return question.evidence.map(
        (id) => rankOf.get(ids.get(id) ?? '') ?? Number.POSITIVE_INFINITY,
      )
    }
    const ranks = { recall: ranksIn(memories), plain: ranksIn(plain) }
    answers.push({ conversation: name, question, ranks, ms })
  }
  return answers
}

/** The mean share of the evidence among the first `k` results, in percent. */
export const recallAt = (k: number, answers: Answer[], method: keyof Answer['ranks']): number =>
  100 *
  mean(
    answers.map(
      ({ ranks }) => ranks[method].filter((rank) => rank <= k).length / ranks[method].length,
    ),
  )
