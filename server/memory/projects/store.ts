import type { Trust } from '../../../shared/contract/memories.ts'
import { MAX_LISTED_PROJECTS } from '../../../shared/contract/projects.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { recordChanges } from '../memories/change-parts-store.ts'
import type { MemorySet } from '../memories/set-store.ts'

/** A project with what it has. */
export interface ProjectRow {
  project: string
  memories: number
  conversations: number
  lastAt: Date
  aliases: string[]
}

const LIST = `
select p.*, coalesce(a.aliases, '{}') as aliases
from (
  select project, count(*)::int as memories,
    (count(distinct thread_no) filter (where capture_key is not null))::int as conversations,
    max(coalesce(occurred_at, created_at)) as last_at
  from memories
  where owner_id = :ownerId and project is not null and deleted_at is null
    and (:trusts::jsonb is null or trust in (select jsonb_array_elements_text(:trusts::jsonb)))
  group by project order by last_at desc, project limit ${MAX_LISTED_PROJECTS}
) p
left join (
  select project, array_agg(alias order by alias) as aliases from memory_project_aliases
  where owner_id = :ownerId group by project
) a on a.project = p.project
order by p.last_at desc, p.project`

/** The projects of an owner, the one with the latest memory first. @param trusts the memories that count. */
export const listProjects = async (
  query: Query,
  ownerId: string,
  trusts: Trust[] | undefined,
): Promise<ProjectRow[]> => {
  type Row = Omit<ProjectRow, 'lastAt'> & { last_at: string | Date }
  const rows = await namedQuery<Row>(query, LIST, {
    ownerId,
    trusts: trusts ? JSON.stringify(trusts) : null,
  })
  return rows.map(({ last_at, ...row }) => ({ ...row, lastAt: new Date(last_at) }))
}

/** The project that a name stands for: itself, or the one that it was merged into. */
export const findProject = async (query: Query, ownerId: string, name: string): Promise<string> => {
  const [row] = await query<{ project: string }>(
    'select project from memory_project_aliases where owner_id = $1 and alias = $2',
    [ownerId, name],
  )
  return row?.project ?? name
}

/** The memories of a project. */
export const memoriesOf = (ownerId: string, project: string): MemorySet => ({
  ownerId,
  values: { from: project },
  condition: 'owner_id = :ownerId and project = :from',
})

/** Lets a name, and those that stood for it, stand for another project, within a transaction. */
export const addAlias = async (
  query: Query,
  ownerId: string,
  { from, into }: { from: string; into: string },
): Promise<void> => {
  await query('delete from memory_project_aliases where owner_id = $1 and alias = $2', [
    ownerId,
    into,
  ])
  await query(
    'update memory_project_aliases set project = $3 where owner_id = $1 and project = $2',
    [ownerId, from, into],
  )
  await query(
    `insert into memory_project_aliases (owner_id, alias, project) values ($1, $2, $3)
    on conflict (owner_id, alias) do update set project = excluded.project`,
    [ownerId, from, into],
  )
}

/** The other project has the same memory. */
const IS_THERE = `deleted_at is null and superseded_by is null and exists (
    select from memories o
    where o.owner_id = :ownerId and o.thread_no = memories.thread_no
      and o.content_hash = memories.content_hash and o.project = :into
      and o.deleted_at is null and o.superseded_by is null
  )`

/** The memories of a project that another one has as well. */
export const memoriesOfBoth = (
  ownerId: string,
  names: { from: string; into: string },
): MemorySet => ({
  ownerId,
  values: names,
  condition: `owner_id = :ownerId and project = :from and ${IS_THERE}`,
})

const MOVE = `
with moved as materialized (
  update memories set project = :into, updated_at = now()
  where owner_id = :ownerId and project = :from and not (${IS_THERE})
  returning seq, deleted_at
),
${recordChanges('moved')}
select count(*) filter (where deleted_at is null)::int as count from moved`

/** Moves memories that are locked, apart from those of both projects. @returns how many, without deleted ones. */
export const moveMemories = async (
  query: Query,
  ownerId: string,
  names: { from: string; into: string },
): Promise<number> => {
  const [row] = await namedQuery<{ count: number }>(query, MOVE, { ...names, ownerId })
  return row?.count ?? 0
}
