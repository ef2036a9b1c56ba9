export interface RecallFilter {
  memoryType?: string | undefined
  tags?: string[] | undefined
  thread?: string | undefined
  author?: string | undefined
  /** Null: only what no agent remembered. */
  agentSlug?: string | null | undefined
  since?: string | undefined
  until?: string | undefined
  /** Only what held at this time, also what was superseded since. */
  asOf?: string | undefined
}

/** Which memories a recall looks at. */
export interface Scope {
  /** The condition on `m` for what holds. */
  live: string
  /** Further conditions on `m`; empty for none. */
  filters: string
  /** The values of their placeholders. */
  values: unknown[]
}

/** The filter as conditions, their placeholders numbered from `first` on; $1 is the owner. */
export const scopeOf = (filter: RecallFilter, first: number): Scope => {
  const values: unknown[] = []
  const clauses: string[] = []
  const add = (value: unknown, clause: (placeholder: string) => string) => {
    if (value === undefined) return
    values.push(value)
    clauses.push(`and ${clause(`$${first + values.length - 1}`)}`)
  }
  add(filter.memoryType, (p) => `m.memory_type = ${p}`)
  add(
    filter.tags && JSON.stringify(filter.tags),
    (p) => `m.tags @> array(select jsonb_array_elements_text(${p}::jsonb))`,
  )
  add(
    filter.thread,
    (p) =>
      `m.thread_no = (select thread_no from memory_threads where owner_id = $1 and thread = ${p})`,
  )
  add(filter.author, (p) => `m.author = ${p}`)
  if (filter.agentSlug === null) clauses.push('and m.agent_slug is null')
  else add(filter.agentSlug, (p) => `m.agent_slug = ${p}`)
  add(filter.since, (p) => `coalesce(m.occurred_at, m.created_at) >= ${p}::timestamptz`)
  add(filter.until, (p) => `coalesce(m.occurred_at, m.created_at) < ${p}::timestamptz`)
  add(
    filter.asOf,
    (p) => `coalesce(m.valid_from, m.occurred_at, '-infinity') <= ${p}::timestamptz
      and coalesce(m.valid_to, 'infinity') > ${p}::timestamptz`,
  )
  return {
    live: filter.asOf ? '' : 'and m.superseded_by is null',
    filters: clauses.join(' '),
    values,
  }
}
