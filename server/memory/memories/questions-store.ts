import type { Query } from '../../platform/db/database.ts'

/** A question that a user noted. */
export interface OpenQuestion {
  memoryId: string
  contentHash: string
  content: string
  askedAt: Date
}

const DAYS = 30
/** A longer text is a note that happens to end with a question. */
const MAX_CHARACTERS = 300

/**
 * Only questions that the user wrote: in conversations they are answered, and imports are full of them.
 * A later memory of the same thread counts as the answer.
 */
const QUESTIONS = `
select m.memory_id, m.content_hash, m.content_text, coalesce(m.occurred_at, m.created_at) as asked_at
from memories m
where m.owner_id = $1 and m.ends_asking and m.deleted_at is null and m.superseded_by is null
  and m.source_kind in ('api_key', 'session') and m.agent_slug is null
  and (m.author is null or m.author in (select jsonb_array_elements_text($2::jsonb)))
  and length(m.content_text) <= ${MAX_CHARACTERS}
  and coalesce(m.occurred_at, m.created_at) > now() - interval '${DAYS} days'
  and not exists (
    select from memories n
    where n.owner_id = $1 and n.thread_no = m.thread_no and m.thread_no <> 0
      and n.position > m.position and n.deleted_at is null
  )
order by coalesce(m.occurred_at, m.created_at) desc, m.seq desc limit $3`

type Row = Record<'memory_id' | 'content_hash' | 'content_text', string> & {
  asked_at: string | Date
}

/** The latest questions that nothing answers yet. */
export const listOpenQuestions = async (
  query: Query,
  ownerId: string,
  authors: string[],
  limit: number,
): Promise<OpenQuestion[]> => {
  const rows = await query<Row>(QUESTIONS, [ownerId, JSON.stringify(authors), limit])
  return rows.map((row) => ({
    memoryId: row.memory_id,
    contentHash: row.content_hash,
    content: row.content_text,
    askedAt: new Date(row.asked_at),
  }))
}
