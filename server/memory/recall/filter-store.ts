import type { Trust } from '../../../shared/contract/memories.ts'
import { ASSISTANTS } from './asked-authors.ts'

export interface RecallFilter {
  memoryType?: string | undefined
  tags?: string[] | undefined
  thread?: string | undefined
  author?: string | undefined
  /** Null: only memories without an agent. */
  agentSlug?: string | null | undefined
  since?: string | undefined
  until?: string | undefined
  /** Only memories with one of these levels of trust. */
  trusts?: Trust[] | undefined
  /** Only memories that were valid at this time, including those superseded since. */
  asOf?: string | undefined
  /** Only preferences and instructions that may guide an answer. */
  isStanding?: true | undefined
}

/** A filter as conditions on the memory `m`, each empty or beginning with `and`. */
export interface FilterConditions {
  /** Leaves superseded memories out. */
  live: string
  filters: string
  /** The values of the named parameters in the conditions, apart from `:ownerId`. */
  values: Record<string, unknown>
}

const CONDITIONS = {
  memoryType: 'm.memory_type = :memoryType',
  tags: 'm.tags @> array(select jsonb_array_elements_text(:tags::jsonb))',
  thread:
    'm.thread_no = (select thread_no from memory_threads where owner_id = :ownerId and thread = :thread)',
  author: 'm.author = :author',
  agentSlug: 'm.agent_slug = :agentSlug',
  since: 'coalesce(m.occurred_at, m.created_at) >= :since::timestamptz',
  until: 'coalesce(m.occurred_at, m.created_at) < :until::timestamptz',
  trusts: 'm.trust in (select jsonb_array_elements_text(:trusts::jsonb))',
  asOf: `coalesce(m.valid_from, m.occurred_at, '-infinity') <= :asOf::timestamptz
      and coalesce(m.valid_to, 'infinity') > :asOf::timestamptz`,
} satisfies Record<Exclude<keyof RecallFilter, 'isStanding'>, string>

/** A memory `m` states a preference or an instruction. The index `memories_standing` has this condition. */
export const IS_STANDING = `(m.is_standing or m.memory_type = 'preference')`
/** It may guide an answer: an assistant's words do not, nor do those of a source that anyone may write to. */
export const MAY_GUIDE = `${IS_STANDING} and m.trust <> 'external'
      and lower(coalesce(m.author, '')) not in (${ASSISTANTS.map((name) => `'${name}'`).join(', ')})`

/** Whether all live memories pass. */
export const isUnfiltered = (filter: RecallFilter): boolean =>
  Object.values(filter).every((value) => value === undefined)

export const filterConditions = (filter: RecallFilter): FilterConditions => {
  const { agentSlug, tags, trusts, isStanding, ...others } = filter
  const values = Object.fromEntries(
    Object.entries({
      ...others,
      tags: tags && JSON.stringify(tags),
      trusts: trusts && JSON.stringify(trusts),
      agentSlug: agentSlug ?? undefined,
    }).filter(([, value]) => value !== undefined),
  )
  const conditions = Object.entries(CONDITIONS).flatMap(([name, condition]) =>
    name in values ? [`and ${condition}`] : [],
  )
  if (agentSlug === null) conditions.push('and m.agent_slug is null')
  if (isStanding) conditions.push(`and ${MAY_GUIDE}`)
  return {
    live: filter.asOf ? '' : 'and m.superseded_by is null',
    filters: conditions.join(' '),
    values,
  }
}
