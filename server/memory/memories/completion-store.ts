import type { Trust } from '../../../shared/contract/memories.ts'
import type { CompletedField } from '../../../shared/contract/memory-lists.ts'
import { foldLabel } from '../../../shared/labels.ts'
import type { Query } from '../../platform/db/database.ts'

interface Completion {
  ownerId: string
  /** In any case of letters. */
  prefix: string
  limit: number
  /** The levels of trust of the memories that count; undefined for all. */
  trusts: Trust[] | undefined
}

/** Bounds the memories whose tags and authors are read. */
const NEWEST = 20_000

const IS_READABLE = 'm.deleted_at is null and ($4::text[] is null or m.trust = any($4))'

/** The labels of the newest memories, the most frequent first. */
const labels = (from: string): string => `
select (array_agg(s.value order by s.first))[1] as value from (
  select v.value, v.label, count(*) as count, min(m.seq) as first from (
    select m.seq, m.tags, m.folded_tags, m.author, m.folded_author, m.trust, m.deleted_at from memories m
    where m.owner_id = $1 order by m.seq desc limit ${NEWEST}) m, ${from} as v(value, label)
  where ${IS_READABLE} and starts_with(v.label, $2)
  group by v.value, v.label) s
group by s.label order by sum(s.count) desc, 1 limit $3`

const STATEMENTS: Readonly<Record<CompletedField, string>> = {
  // In the order of the index, so that only as many threads are read as are returned.
  thread: `
select t.thread as value from memory_threads t
where t.owner_id = $1 and starts_with(lower(t.thread), lower($2))
  and exists (select from memories m
    where m.owner_id = $1 and m.thread_no = t.thread_no and ${IS_READABLE})
order by t.thread limit $3`,
  tag: labels('unnest(m.tags, coalesce(m.folded_tags, m.tags))'),
  author: labels('lateral (select m.author, coalesce(m.folded_author, m.author))'),
  memory_id: `
select m.memory_id::text as value from memories m
where m.owner_id = $1 and m.memory_id between $2::uuid and $5::uuid and ${IS_READABLE}
order by m.memory_id desc limit $3`,
}

export const listValues = async (
  query: Query,
  field: CompletedField,
  { ownerId, prefix, limit, trusts }: Completion,
): Promise<string[]> => {
  const range = field === 'memory_id' ? rangeOf(prefix) : undefined
  if (field === 'memory_id' && !range) return []
  const isLabel = field === 'tag' || field === 'author'
  const [from = isLabel ? foldLabel(prefix) : prefix, ...to] = range ?? []
  const rows = await query<{ value: string }>(STATEMENTS[field], [
    ...[ownerId, from, limit, trusts ?? null],
    ...to,
  ])
  return rows.map(({ value }) => value)
}

/** The first and the last UUID that begin with a text; undefined for a text that none begins with. */
const rangeOf = (prefix: string): [string, string] | undefined => {
  const pattern = '00000000-0000-0000-0000-000000000000'
  const text = prefix.toLowerCase()
  const first = text + pattern.slice(text.length)
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(first)) return undefined
  return [first, text + pattern.slice(text.length).replaceAll('0', 'f')]
}
