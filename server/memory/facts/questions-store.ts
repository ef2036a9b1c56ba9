import type { Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { factTrusts } from '../memories/actor.ts'
import { TRUST_RANK } from '../recall/filter-store.ts'

/** Who asks, and the levels of trust of the memories that count; undefined for all. */
interface FactReaders {
  userId: string
  trusts?: Trust[] | undefined
  /** The ids of superseded memories that are current for the reader. */
  current: string[]
}

export interface DateFact {
  subject: string
  key: string
  value: string
}

/** The latest statement of each fact comes first, of the highest trust first. */
const DATE_FACTS = `
select f.subject, f.key, f.value
from memory_facts f join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.kind = 'date'
  and f.subject in (select jsonb_array_elements_text($2::jsonb))
  and f.key in (select jsonb_array_elements_text($3::jsonb))
  and m.deleted_at is null and (m.superseded_by is null or m.memory_id = any($6::uuid[]))
  and m.trust in (select jsonb_array_elements_text($4::jsonb))
  -- Another member's "my birthday" is not the caller's.
  and (f.subject <> 'self' or m.user_id = $5)
order by ${TRUST_RANK}, coalesce(m.valid_from, m.occurred_at, m.created_at) desc, m.seq desc`

/** The dates that facts about these subjects state, latest first. */
export const latestDateFacts = (
  query: Query,
  ownerId: string,
  subjects: string[],
  keys: string[],
  { userId, trusts, current }: FactReaders,
): Promise<DateFact[]> =>
  query<DateFact>(DATE_FACTS, [
    ...[ownerId, JSON.stringify(subjects), JSON.stringify(keys)],
    ...[JSON.stringify(factTrusts(trusts)), userId, current],
  ])
