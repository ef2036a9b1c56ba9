import { eq, sql } from 'drizzle-orm'
import type { Db } from '../platform/db/database.ts'
import { memoryFacts } from './facts/table.ts'
import { recordChanges } from './memories/index-store.ts'

/**
 * Gives all memories of an owner the lowest trust, forgets what was derived from them and queues them for the
 * engines that derive it, within a transaction that has locked the owner exclusively.
 */
export const distrustMemories = async (
  tx: Db,
  ownerId: string,
  engines: readonly string[],
): Promise<void> => {
  await tx.execute(sql`
    with changed as materialized (
      update memories set trust = 'external', updated_at = now()
      where owner_id = ${ownerId} and trust <> 'external'
      returning seq, deleted_at, superseded_by
    ),
    queued as (
      insert into memory_tasks as t (owner_id, engine, seq)
      select ${ownerId}::uuid, e.engine, seq
      from changed cross join jsonb_array_elements_text(${JSON.stringify(engines)}::jsonb) as e(engine)
      where deleted_at is null and superseded_by is null
      on conflict (owner_id, engine, seq) do update set revision = t.revision + 1
    )
    update memory_stats set ${sql.raw(recordChanges('changed'))} where owner_id = ${ownerId}`)
  await tx.delete(memoryFacts).where(eq(memoryFacts.ownerId, ownerId))
}
