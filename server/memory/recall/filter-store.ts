import { TRUST_LEVELS, type Trust } from '../../../shared/contract/memories.ts'
import { foldLabel } from '../../../shared/labels.ts'
import type { TimeBound } from '../../platform/timezone.ts'

export interface RecallFilter {
  memoryType?: string | undefined
  tags?: string[] | undefined
  thread?: string | undefined
  author?: string | undefined
  /** Null: only memories without an agent. */
  agentSlug?: string | null | undefined
  project?: string | undefined
  /** Memories of other projects do not pass, those of none do. The first is the one that the question is asked in. */
  inProjects?: string[] | undefined
  since?: TimeBound | undefined
  until?: TimeBound | undefined
  /** Only memories with one of these levels of trust. */
  trusts?: Trust[] | undefined
  /** Only memories that were valid at this time, including those superseded since. */
  asOf?: TimeBound | undefined
  /** The `seq` of superseded memories that count as live: the reader may not read what superseded them. */
  current?: number[] | undefined
}

/** A filter as conditions on the memory `m`, each empty or beginning with `and`. */
export interface FilterConditions {
  /** Leaves superseded memories out. */
  live: string
  filters: string
  /** The values of the named parameters in the conditions, apart from `:ownerId`. */
  values: Record<string, unknown>
}

/** Whether a time is not before a bound. */
const isFrom = (time: string, bound: string) =>
  `${time} >= case when ${time} = date_trunc('day', ${time}, 'UTC')
    then :${bound}Day::timestamptz else :${bound}::timestamptz end`

const isUntil = (time: string, bound: string) => isFrom(time, bound).replace('>=', '<=')

const HAPPENED = 'coalesce(m.occurred_at, m.created_at)'

const VALID_AFTER = `coalesce(not (${isUntil('m.valid_to', 'asOf')}), true)`

const CONDITIONS = {
  memoryType: 'm.memory_type = :memoryType',
  tags: 'coalesce(m.folded_tags, m.tags) @> array(select jsonb_array_elements_text(:tags::jsonb))',
  thread:
    'm.thread_no = (select thread_no from memory_threads where owner_id = :ownerId and thread = :thread)',
  author: 'coalesce(m.folded_author, m.author) = :author',
  agentSlug: 'm.agent_slug = :agentSlug',
  project: 'm.project = :project',
  inProjects:
    '(m.project is null or m.project in (select jsonb_array_elements_text(:inProjects::jsonb)))',
  since: isFrom(HAPPENED, 'since'),
  until: `not (${isFrom(HAPPENED, 'until')})`,
  trusts: 'm.trust in (select jsonb_array_elements_text(:trusts::jsonb))',
  asOf: `coalesce(${isUntil('coalesce(m.valid_from, m.occurred_at)', 'asOf')}, true)`,
} satisfies Record<Exclude<keyof RecallFilter, 'current'>, string>

/** The place of a memory's trust among the levels, from 1 for the highest. */
export const TRUST_RANK = `array_position(array[${TRUST_LEVELS.map((level) => `'${level}'`).join(', ')}], m.trust)`

/** Whether all live memories pass. */
export const isUnfiltered = (filter: RecallFilter): boolean =>
  Object.values(filter).every((value) => value === undefined)

const IS_CURRENT = 'm.seq in (select value::bigint from jsonb_array_elements_text(:current::jsonb))'

/** The values of the parameters of a bound, such as `:since` and `:sinceDay`. */
const boundValues = (bounds: Record<string, TimeBound | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bounds).flatMap(([name, bound]) =>
      bound ? [[name, bound.instant] as const, [`${name}Day`, bound.day] as const] : [],
    ),
  )

export const filterConditions = (filter: RecallFilter): FilterConditions => {
  const { agentSlug, tags, author, inProjects, trusts, current, ...rest } = filter
  const { since, until, asOf, ...others } = rest
  const values = Object.fromEntries(
    Object.entries({
      ...others,
      ...boundValues({ since, until, asOf }),
      tags: tags && JSON.stringify(tags.map(foldLabel)),
      author: author && foldLabel(author),
      inProjects: inProjects && JSON.stringify(inProjects),
      trusts: trusts && JSON.stringify(trusts),
      current: current && JSON.stringify(current),
      agentSlug: agentSlug ?? undefined,
    }).filter(([, value]) => value !== undefined),
  )
  const asReader = (condition: string) => (current ? `(${condition} or ${IS_CURRENT})` : condition)
  const conditions = Object.entries(CONDITIONS).flatMap(([name, condition]) =>
    name in values ? [`and ${condition}`] : [],
  )
  if (asOf) conditions.push(`and ${asReader(VALID_AFTER)}`)
  if (agentSlug === null) conditions.push('and m.agent_slug is null')
  return {
    live: asOf ? '' : `and ${asReader('m.superseded_by is null')}`,
    filters: conditions.join(' '),
    values,
  }
}
