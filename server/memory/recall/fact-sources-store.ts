import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { factSources } from './candidates-store.ts'
import { filterConditions } from './filter-store.ts'
import { type RecallRequest, topMatchLimit } from './store.ts'

/** The memories that state the facts that a question asks for, by `seq`: 1 for the latest. */
export const findFactSources = async (
  query: Query,
  { ownerId, question, filter }: RecallRequest,
): Promise<Map<number, number>> => {
  const { subjects, keys } = question.facts
  if (subjects.length === 0 || keys.length === 0) return new Map()
  const { values, ...conditions } = filterConditions(filter)
  const statement = `with ${factSources(conditions, topMatchLimit(question.limit))}
    select seq::float8 as seq, rank::int as rank from fact_sources`
  const rows = await namedQuery<{ seq: number | string; rank: number }>(query, statement, {
    ...values,
    ownerId,
    factSubjects: JSON.stringify(subjects),
    factKeys: JSON.stringify(keys),
    userId: question.userId,
  })
  return new Map(rows.map(({ seq, rank }) => [Number(seq), rank]))
}
