import { DELETED_USERNAME } from '../../account/users/email-address.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { queueTasks, recordChanges } from './change-parts-store.ts'

/** The organizations that a user wrote memories for, in the order of their ids. */
export const listOrgsWrittenFor = async (query: Query, userId: string): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'select distinct owner_id as id from memories where user_id = $1 and org_id is not null order by 1',
    [userId],
  )
  return rows.map(({ id }) => id)
}

/** A message of a chat or of a captured conversation has the name that its writer had then. */
const IS_NAMED = `(lower(author) = any(:names::text[]) or source_kind = 'chat' and author is distinct from agent_slug
  or capture_key is not null and author <> 'assistant')`

/** Facts in the first person are about the author, so they are found again. */
const REPLACE = `
with removed as materialized (
  select * from memories where owner_id = :ownerId and user_id = :userId and ${IS_NAMED} for update
),
added as materialized (
  update memories m set author = :deleted::text, folded_author = null, updated_at = now() from removed r
  where m.owner_id = :ownerId and m.memory_id = r.memory_id returning m.*
),
history as (
  update memory_history h set before = jsonb_set(before, '{author}', to_jsonb(:deleted::text))
  from memories m where h.owner_id = :ownerId and m.owner_id = :ownerId and h.memory_id = m.memory_id
    and m.user_id = :userId and (lower(before->>'author') = any(:names::text[])
      or before->>'author' in (select author from removed))
),
facts as (
  delete from memory_facts f using removed r
  where f.owner_id = :ownerId and f.memory_id = r.memory_id
),
${queueTasks('and deleted_at is null')},
${recordChanges('added')}
select from added`

/**
 * Replaces the author of the memories that a user wrote for an organization, where it is the user's name, within
 * the transaction that deletes the account and has locked the organization.
 * @param names of the user, in lower case.
 */
export const replaceAuthor = async (
  query: Query,
  { ownerId, userId, names }: { ownerId: string; userId: string; names: string[] },
  engines: readonly string[],
): Promise<void> => {
  await namedQuery(query, REPLACE, {
    ownerId,
    userId,
    names,
    deleted: DELETED_USERNAME,
    engines: JSON.stringify(engines),
  })
}
