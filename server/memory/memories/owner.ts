import { errorText } from '../../../shared/errors.ts'
import type { Query } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { ApiError } from '../../platform/http/error.ts'

/**
 * CTEs that keep the owner, $1, a person or an organization, from being deleted until the transaction
 * ends. Whoever deletes one locks it first and then all of its memories. So what locks several rows of
 * an owner's locks the owner before them: else the two wait for each other.
 */
export const OWNER = `
owning_person as materialized (
  select 1 from users where id = $1 and ${sharesTurn('id')} for key share
),
owning_org as materialized (
  select 1 from orgs where id = $1 and ${sharesTurn('id')} for key share
),
owner as materialized (
  -- Found among people, nobody looks among organizations.
  select 1 from owning_person
  union all
  select 1 from owning_org where not exists (select from owning_person)
)`

/** A condition that is looked at before any row is, and so before any is locked. */
export const OWNER_IS_THERE = 'exists (select from owner)'

const FIND_WRITER = `
select exists (select from users where id = $1) as person,
  $2::uuid is null or exists (select from orgs where id = $2) as org`

/**
 * Says why nothing was written.
 * @throws ApiError 401 when the writer was deleted meanwhile, 403 when their organization was.
 */
export const checkWriterIsThere = async (
  query: Query,
  { userId, orgId }: { userId: string; orgId: string | null },
): Promise<void> => {
  const [found] = await query<{ person: boolean; org: boolean }>(FIND_WRITER, [userId, orgId])
  if (!found?.person) throw new ApiError(401, errorText.badCredentials)
  if (!found.org) throw new ApiError(403, errorText.notOrgMember)
}
