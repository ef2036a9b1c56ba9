import type { Query } from '../platform/db/database.ts'
import { namedQuery } from '../platform/db/statements.ts'
import { recordChanges } from './memories/change-parts-store.ts'

const DISTRUST = `
with changed as materialized (
  update memories set trust = 'external', updated_at = now()
  where owner_id = :ownerId and trust <> 'external'
  returning seq, deleted_at, superseded_by
),
queued as (
  insert into memory_tasks as t (owner_id, engine, seq)
  select :ownerId, e.engine, seq
  from changed cross join jsonb_array_elements_text(:engines::jsonb) as e(engine)
  where deleted_at is null and superseded_by is null
  on conflict (owner_id, engine, seq) do update set revision = t.revision + 1
),
${recordChanges('changed')}
select from changed`

/**
 * Gives all memories of an owner the lowest trust, forgets what was derived from them and queues them for the
 * engines that derive it, within a transaction that has locked the owner exclusively.
 */
export const distrustMemories = async (
  query: Query,
  ownerId: string,
  engines: readonly string[],
): Promise<void> => {
  await namedQuery(query, DISTRUST, { ownerId, engines: JSON.stringify(engines) })
  await query('delete from memory_facts where owner_id = $1', [ownerId])
}
