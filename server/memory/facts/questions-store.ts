import type { Query } from '../../platform/db/database.ts'

export interface DateFact {
  subject: string
  key: string
  value: string
}

/** The latest statement of each fact comes first, and imported ones last. */
const DATE_FACTS = `
select f.subject, f.key, f.value
from memory_facts f join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.kind = 'date'
  and f.subject in (select jsonb_array_elements_text($2::jsonb))
  and f.key in (select jsonb_array_elements_text($3::jsonb))
  and m.deleted_at is null and m.superseded_by is null
order by m.trust <> 'imported' desc, coalesce(m.valid_from, m.occurred_at, m.created_at) desc, m.seq desc`

/** The dates that facts about these subjects state, latest first. */
export const latestDateFacts = (
  query: Query,
  ownerId: string,
  subjects: string[],
  keys: string[],
): Promise<DateFact[]> =>
  query<DateFact>(DATE_FACTS, [ownerId, JSON.stringify(subjects), JSON.stringify(keys)])
