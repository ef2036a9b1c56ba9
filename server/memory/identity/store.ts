import type { Query } from '../../platform/db/database.ts'
import { SINGULAR } from '../facts/rules/index.ts'

/** What a memory says somebody's value of a key is. */
export interface Saying {
  key: string
  value: string
  memoryId: string
  quote: string
  at: Date
  /** When the memory was changed last. */
  updatedAt: Date
  /** The memory still holds: no other took its place. */
  holds: boolean
}

const SAYINGS = `
select f.key, f.value, f.memory_id, f.quote, coalesce(m.occurred_at, m.created_at) as at,
  m.updated_at, m.superseded_by is null as holds
from memory_facts f
join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
where f.owner_id = $1 and f.subject in (select jsonb_array_elements_text($2::jsonb))
  and f.key ~ $3 and m.deleted_at is null and strpos(m.content_text, f.quote) > 0
order by at, m.seq, strpos(m.content_text, f.quote)`

type Row = Record<'key' | 'value' | 'memory_id' | 'quote', string> &
  Record<'at' | 'updated_at', string | Date> & { holds: boolean }

/** What memories say of somebody that they have one of at a time, the oldest first. */
export const listSayings = async (
  query: Query,
  ownerId: string,
  subjects: string[],
): Promise<Saying[]> => {
  const rows = await query<Row>(SAYINGS, [ownerId, JSON.stringify(subjects), SINGULAR])
  return rows.map(({ memory_id, at, updated_at, ...row }) => ({
    ...row,
    memoryId: memory_id,
    at: new Date(at),
    updatedAt: new Date(updated_at),
  }))
}
