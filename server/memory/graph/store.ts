import type { Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'
import type { RareWord } from './links.ts'

const IS_LIVE = 'deleted_at is null and superseded_by is null'

export interface Link {
  memory_id: string
  other_id: string
  kind: 'words' | 'explicit'
  weight: number
}

/** A word in more memories than this is not rare, nor one in more than a third of a few memories. */
const MOST_HOLDERS = 8
const FEWEST_TO_COUNT = 4
const SHARE_OF_HOLDERS = 3

/**
 * The rare words of memories, with the memories that have them. Numbers and letters by themselves say
 * too little.
 */
const RARE_WORDS = `
with limits as materialized (
  select greatest(least(memory_count / ${SHARE_OF_HOLDERS}, ${MOST_HOLDERS}), ${FEWEST_TO_COUNT}) as most
  from memory_stats where owner_id = $1
),
words as materialized (
  select distinct w.lexeme
  from jsonb_array_elements_text($2::jsonb) as s(seq)
  cross join lateral (
    select language, coalesce(search_text, content_text) as text from memories
    where owner_id = $1 and seq = s.seq::bigint and ${IS_LIVE} limit 1
  ) m
  cross join lateral unnest(to_tsvector(m.language::regconfig, m.text)) w
  where w.lexeme ~ '[a-z]{3}|[^ -~]'
)
select w.lexeme as word, h.seqs
from words w cross join limits l
cross join lateral (
  select jsonb_agg(p.seq order by p.seq) as seqs, count(*) as count from (
    select seq from memory_postings where owner_id = $1 and term = w.lexeme limit ${MOST_HOLDERS + 1}
  ) p
) h
where h.count between 2 and l.most
order by w.lexeme`

export const findRareWords = (query: Query, ownerId: string, seqs: number[]): Promise<RareWord[]> =>
  query<{ word: string; seqs: number[] }>(RARE_WORDS, [ownerId, JSON.stringify(seqs)])

/** Later memories that have links to these, and of `sharing` those that are linked already. */
const LATER = `
select distinct m.seq, m.memory_id from (
  select l.memory_id from jsonb_array_elements_text($2::jsonb) as o(id)
  cross join lateral (
    select memory_id from memory_links
    where owner_id = $1 and other_id = o.id::uuid and kind = 'words' offset 0
  ) l
  union
  select n.memory_id from jsonb_array_elements_text($3::jsonb) as s(seq)
  cross join lateral (
    select memory_id from memories where owner_id = $1 and seq = s.seq::bigint and ${IS_LIVE} limit 1
  ) n
) c
cross join lateral (
  select seq, memory_id from memories
  where owner_id = $1 and memory_id = c.memory_id and ${IS_LIVE} limit 1
) m
cross join lateral (
  select count(*) as waiting from memory_tasks t
  where t.owner_id = $1 and t.engine = $4 and t.seq = m.seq
) t
where t.waiting = 0`

/** Memories whose links a change of `memoryIds` may change; those that wait themselves are left out. */
export const findAffected = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
  sharing: number[],
  engine: string,
): Promise<Map<number, string>> => {
  const rows = await query<{ seq: string; memory_id: string }>(LATER, [
    ownerId,
    JSON.stringify(memoryIds),
    JSON.stringify(sharing),
    engine,
  ])
  return new Map(rows.map(({ seq, memory_id }) => [Number(seq), memory_id]))
}

/** The ids of memories by their short names. */
export const findIds = async (
  query: Query,
  ownerId: string,
  seqs: number[],
): Promise<Map<number, string>> => {
  const rows = await query<{ seq: string; memory_id: string }>(
    `select m.seq, m.memory_id from jsonb_array_elements_text($2::jsonb) as s(seq)
    cross join lateral (
      select seq, memory_id from memories where owner_id = $1 and seq = s.seq::bigint limit 1
    ) m`,
    [ownerId, JSON.stringify(seqs)],
  )
  return new Map(rows.map(({ seq, memory_id }) => [Number(seq), memory_id]))
}

export const countMemories = async (query: Query, ownerId: string): Promise<number> => {
  const [row] = await query<{ memory_count: string }>(
    'select memory_count from memory_stats where owner_id = $1',
    [ownerId],
  )
  return Number(row?.memory_count ?? 0)
}

/** A link whose other end is being erased at this moment is not kept. */
const REPLACE = `
with ${OWNER},
held as materialized (
  select m.memory_id from (
    select distinct e.id::uuid as id from jsonb_to_recordset($4::jsonb) as l(memory_id text, other_id text)
    cross join lateral (values (l.memory_id), (l.other_id)) as e(id)
    order by 1
  ) i
  cross join lateral (
    select memory_id from memories where owner_id = $1 and memory_id = i.id for key share
  ) m
  where ${OWNER_IS_THERE}
),
fresh as materialized (
  select l.* from jsonb_to_recordset($4::jsonb)
    as l(memory_id uuid, other_id uuid, kind text, weight float8)
  where l.memory_id in (select memory_id from held) and l.other_id in (select memory_id from held)
),
gone as (
  delete from memory_links l
  using jsonb_array_elements_text($2::jsonb) as i(id)
  where l.owner_id = $1 and l.memory_id = i.id::uuid and not exists (
    select from fresh f
    where f.memory_id = l.memory_id and f.other_id = l.other_id and f.kind = l.kind
  ) and (l.kind = 'words' or l.memory_id in (
    select e.id::uuid from jsonb_array_elements_text($3::jsonb) as e(id)
  ))
)
insert into memory_links as l (owner_id, memory_id, other_id, kind, weight)
select $1, memory_id, other_id, kind, weight from fresh order by memory_id, other_id, kind
on conflict (owner_id, memory_id, other_id, kind) do update set weight = excluded.weight
where l.weight <> excluded.weight`

/**
 * Makes `links` all that lead from memories to others: those by words of `memoryIds`, and explicit ones
 * of `explicitIds`, which are some of them.
 */
export const replaceLinks = async (
  query: Query,
  ownerId: string,
  memoryIds: string[],
  explicitIds: string[],
  links: Link[],
): Promise<void> => {
  const params = [memoryIds, explicitIds, links].map((list) => JSON.stringify(list))
  await query(REPLACE, [ownerId, ...params])
}
