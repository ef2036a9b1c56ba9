import type { Query } from '../../platform/db/database.ts'

interface StatisticsRow {
  total: number
  by_type: Record<string, number>
  by_language: Record<string, number>
  forgotten: number
  superseded: number
  oldest: string | null
  newest: string | null
  threads: number
  authors: number
  tags: { tag: string; count: number }[]
  facts: Record<string, number>
  links: number
  pending: Record<string, number>
}

const TAGS = 20

/** Reads each table once for all counts. */
const STATISTICS = `
with own as materialized (
  select seq, memory_type, language, coalesce(folded_author, author) as author, thread_no, tags, folded_tags, created_at,
    case when deleted_at is not null then 'forgotten' when superseded_by is not null then 'superseded'
      else 'live' end as state
  from memories where owner_id = $1
),
live as (select * from own where state = 'live')
select
  (select count(*)::int from live) as total,
  (select coalesce(jsonb_object_agg(memory_type, count), '{}') from (
    select memory_type, count(*) from live group by memory_type) c) as by_type,
  (select coalesce(jsonb_object_agg(language, count), '{}') from (
    select language, count(*) from live group by language) c) as by_language,
  (select count(*)::int from own where state = 'forgotten') as forgotten,
  (select count(*)::int from own where state = 'superseded') as superseded,
  (select to_jsonb(min(created_at)) #>> '{}' from live) as oldest,
  (select to_jsonb(max(created_at)) #>> '{}' from live) as newest,
  (select count(distinct thread_no)::int from live where thread_no <> 0) as threads,
  (select count(distinct author)::int from live) as authors,
  (select coalesce(jsonb_agg(jsonb_build_object('tag', tag, 'count', count) order by count desc, tag), '[]')
    from (
      select (array_agg(tag order by first))[1] as tag, sum(count)::int as count from (
        select l.tag, label, count(*), min(seq) as first
        from live cross join unnest(tags, coalesce(folded_tags, tags)) as l(tag, label)
        group by l.tag, label
      ) s group by label order by 2 desc, 1 limit ${TAGS}
    ) c) as tags,
  (select coalesce(jsonb_object_agg(kind, count), '{}') from (
    select f.kind, count(*) from memory_facts f
    join memories m on m.owner_id = f.owner_id and m.memory_id = f.memory_id
    where f.owner_id = $1 and m.deleted_at is null and m.superseded_by is null
    group by f.kind) c) as facts,
  (select count(*)::int from memory_links l
    join memories a on a.owner_id = l.owner_id and a.memory_id = l.memory_id
    join memories b on b.owner_id = l.owner_id and b.memory_id = l.other_id
    where l.owner_id = $1 and a.deleted_at is null and a.superseded_by is null
      and b.deleted_at is null and b.superseded_by is null) as links,
  (select coalesce(jsonb_object_agg(engine, count), '{}') from (
    select engine, count(*) from memory_tasks where owner_id = $1 group by engine) c) as pending`

export const readStatistics = async (query: Query, ownerId: string): Promise<StatisticsRow> => {
  const [row] = await query<StatisticsRow>(STATISTICS, [ownerId])
  if (!row) throw new Error('the statistics statement returned no row')
  return row
}

/** The numbers of live memories that were stored before each of the times, which ascend. */
export const countStored = async (
  query: Query,
  ownerId: string,
  times: readonly string[],
): Promise<number[]> => {
  const rows = await query<{ place: number; count: number }>(
    `select width_bucket(created_at, $2::text[]::timestamptz[]) as place, count(*)::int as count from memories
     where owner_id = $1 and deleted_at is null and superseded_by is null group by place`,
    [ownerId, times],
  )
  return times.map((_, index) =>
    rows.reduce((sum, { place, count }) => (place <= index ? sum + count : sum), 0),
  )
}
