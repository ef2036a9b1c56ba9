import type { Trust } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'

interface CapturedRow {
  captureKey: string
  memoryId: string
  trust: Trust
  /** When it was written. */
  at: Date
}

const LOCK = `
with ${lockOwner(':ownerId')}
select capture_key, memory_id, trust, coalesce(occurred_at, created_at) as at
from memories
where owner_id = :ownerId and content_hash = capture_key and deleted_at is null and superseded_by is null
  and capture_key = any(array(select value::uuid from jsonb_array_elements_text(:keys::jsonb)))
  and ${OWNER_EXISTS}
order by capture_key for update`

/**
 * Locks captured messages, in the order of their keys given. One whose text was edited has the hash of that
 * text in place of its key, and is left out, as are those that were superseded or deleted.
 */
export const lockCaptured = async (
  query: Query,
  ownerId: string,
  keys: string[],
): Promise<CapturedRow[]> => {
  const rows = await namedQuery<{
    capture_key: string
    memory_id: string
    trust: Trust
    at: string | Date
  }>(query, LOCK, { ownerId, keys: JSON.stringify(keys) })
  return rows
    .map((row) => ({
      captureKey: row.capture_key.replaceAll('-', ''),
      memoryId: row.memory_id,
      trust: row.trust,
      at: new Date(row.at),
    }))
    .toSorted((a, b) => keys.indexOf(a.captureKey) - keys.indexOf(b.captureKey))
}
