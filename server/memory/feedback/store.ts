import { MAX_MARKS_PER_MEMORY } from '../../../shared/contract/feedback.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'

/** A mark of a memory as not relevant to a question. */
export interface Mark {
  feedbackId: string
  memoryId: string
  userId: string
  question: string
  createdAt: Date
}

export interface NewMark extends Pick<Mark, 'feedbackId' | 'memoryId' | 'userId' | 'question'> {
  ownerId: string
  /** The language of the question. */
  language: string
  terms: string[]
}

const COLUMNS = 'feedback_id, memory_id, user_id, question, created_at'

const fromRow = (row: Record<string, unknown>): Mark => ({
  feedbackId: String(row.feedback_id),
  memoryId: String(row.memory_id),
  userId: String(row.user_id),
  question: String(row.question),
  createdAt: new Date(row.created_at as string | Date),
})

const LOCK_MEMORY = `
select from memories
where owner_id = :ownerId and memory_id = :memoryId and deleted_at is null for key share`

const ADD = `
insert into memory_feedback (owner_id, feedback_id, memory_id, user_id, question, language, terms)
values (:ownerId, :feedbackId, :memoryId, :userId, :question, :language, :terms::text[])
on conflict (owner_id, feedback_id) do update set question = excluded.question
returning ${COLUMNS}`

const DELETE_SURPLUS = `
delete from memory_feedback where owner_id = :ownerId and feedback_id in (
  select feedback_id from memory_feedback
  where owner_id = :ownerId and memory_id = :memoryId
  order by created_at desc, feedback_id offset ${MAX_MARKS_PER_MEMORY}
)`

/**
 * Adds a mark within a transaction, or returns the one with its id. Three statements, because Citus refuses
 * them as one.
 * @returns undefined when the memory does not exist.
 */
export const addMark = async (query: Query, mark: NewMark): Promise<Mark | undefined> => {
  const [memory] = await namedQuery(query, LOCK_MEMORY, { ...mark })
  if (!memory) return undefined
  const [row] = await namedQuery(query, ADD, { ...mark })
  await namedQuery(query, DELETE_SURPLUS, { ...mark })
  return row && fromRow(row)
}

/** @returns whether there was such a mark. */
export const removeMark = async (
  query: Query,
  { ownerId, memoryId, feedbackId }: Pick<NewMark, 'ownerId' | 'memoryId' | 'feedbackId'>,
): Promise<boolean> => {
  const removed = await query(
    'delete from memory_feedback where owner_id = $1 and memory_id = $2 and feedback_id = $3 returning 1',
    [ownerId, memoryId, feedbackId],
  )
  return removed.length > 0
}

/** The marks of memories, newest first. */
export const listMarks = async (
  query: Query,
  ownerId: string,
  memoryIds: readonly string[],
): Promise<Mark[]> => {
  const rows = await query(
    `select ${COLUMNS} from memory_feedback
    where owner_id = $1 and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))
    order by created_at desc, feedback_id`,
    [ownerId, JSON.stringify(memoryIds)],
  )
  return rows.map(fromRow)
}

/** Erases the marks that a user made, also of memories of organizations. */
export const eraseMarks = async (query: Query, userId: string): Promise<void> => {
  await query('delete from memory_feedback where user_id = $1', [userId])
}

/** The terms of a question that a memory was marked for. */
export interface MarkedTerms {
  language: string
  terms: string[]
}

/** The marks of a memory `m`, as a JSON array of `MarkedTerms`; null without any. */
export const MARKED_TERMS = `
select json_agg(json_build_object('language', f.language, 'terms', f.terms)) as marks
from memory_feedback f
where f.owner_id = :ownerId and f.memory_id = m.memory_id`
