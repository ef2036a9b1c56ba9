import type { Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/json-rows.ts'
import type { MemoryKey } from '../memories/memory-key.ts'
import { lockOwner, OWNER_EXISTS } from '../memories/owner-store.ts'

interface ParsedText extends MemoryKey {
  seq: string
  /** The text that stems are made of. */
  text: string
}

/** The next memories of all owners after a key. */
export const listParsedTexts = async (
  query: Query,
  after: MemoryKey,
  limit: number,
): Promise<ParsedText[]> => {
  const rows = await query<{ owner_id: string; memory_id: string; seq: string; text: string }>(
    `select owner_id, memory_id, seq::text as seq, coalesce(search_text, content_text) as text
    from memories where (owner_id, memory_id) > ($1::uuid, $2::uuid)
    order by owner_id, memory_id limit $3`,
    [after.ownerId, after.memoryId, limit],
  )
  return rows.map(({ owner_id, memory_id, ...row }) => ({
    ...row,
    ownerId: owner_id,
    memoryId: memory_id,
  }))
}

interface Separated {
  seq: string
  /** As it was read, so that a change meanwhile is kept. */
  text: string
  search_text: string
}

/** Stores the text that stems are made of. The postings must be written again. */
export const storeSearchTexts = async (
  query: Query,
  ownerId: string,
  texts: Separated[],
): Promise<void> => {
  await query(
    `with ${lockOwner('$1')},
    input as materialized (
      select * from ${jsonRows('$2::jsonb', { seq: 'bigint', text: 'text', search_text: 'text' })} i
    )
    update memories m set search_text = i.search_text from input i
    where m.owner_id = $1 and m.seq = i.seq and ${OWNER_EXISTS}
      and coalesce(m.search_text, m.content_text) = i.text`,
    [ownerId, JSON.stringify(texts)],
  )
}
