import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { type FilterConditions, filterConditions, TRUST_RANK } from './filter-store.ts'
import { type RecallRequest, topMatchLimit } from './store.ts'

/** The memories that state the facts that a question asks for, latest first; imported ones come last. */
const statementFor = (
  { live, filters }: Pick<FilterConditions, 'live' | 'filters'>,
  limit: number,
): string => `
select seq::float8 as seq, min(rank)::int as rank
from (
  select m.seq, rank() over (
    partition by f.subject, f.key
    order by ${TRUST_RANK}, coalesce(m.valid_from, m.occurred_at, m.created_at) desc, m.seq desc
  ) as rank
  from memory_facts f cross join lateral (
    select seq, user_id, trust, valid_from, occurred_at, created_at from memories m
    where m.owner_id = :ownerId and m.memory_id = f.memory_id
      and m.deleted_at is null ${live} ${filters} limit 1
  ) m
  where f.owner_id = :ownerId
    and f.subject in (select jsonb_array_elements_text(:factSubjects::jsonb))
    and f.key like any (array(select jsonb_array_elements_text(:factKeys::jsonb)))
    -- Another member's "I" is not the caller.
    and (f.subject <> 'self' or m.user_id = :userId) and m.trust <> 'external'
) f
group by seq order by 2, seq desc limit ${limit}`

/** The memories that state the facts that a question asks for, by `seq`: 1 for the latest. */
export const findFactSources = async (
  query: Query,
  { ownerId, question, filter }: RecallRequest,
): Promise<Map<number, number>> => {
  const { subjects, keys } = question.facts
  if (subjects.length === 0 || keys.length === 0) return new Map()
  const { values, ...conditions } = filterConditions(filter)
  const statement = statementFor(conditions, topMatchLimit(question.limit))
  const rows = await namedQuery<{ seq: number | string; rank: number }>(query, statement, {
    ...values,
    ownerId,
    factSubjects: JSON.stringify(subjects),
    factKeys: JSON.stringify(keys),
    userId: question.userId,
  })
  return new Map(rows.map(({ seq, rank }) => [Number(seq), rank]))
}
