import type { MemoryGraph } from '../../../shared/contract/graph.ts'

export type LinkKind = MemoryGraph['edges'][number]['kind']
export const LINK_KINDS: readonly LinkKind[] = [
  'thread',
  'words',
  'meaning',
  'explicit',
  'supersedes',
]

export const SIZES = [200, 1000, 5000] as const
export const DEFAULT_SIZE = 5000

/** The place in the graph, kept in the address. An absent value is the default. */
export interface GraphSearch {
  view?: 'list'
  /** The maximum number of memories. */
  size?: (typeof SIZES)[number]
  /** Link kinds that are not shown. */
  without?: LinkKind[]
  /** Times in milliseconds since 1970. */
  from?: number
  to?: number
  /** The id of the selected memory. */
  memory?: string
  /** The open clusters, as `groupName` names them. */
  open?: string[]
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Reads the search parameters of an address, without the invalid ones. */
export const readGraphSearch = (input: Record<string, unknown>): GraphSearch => {
  const size = SIZES.find((each) => each === input.size)
  const from = numberOf(input.from)
  const to = numberOf(input.to)
  const list: unknown[] = Array.isArray(input.without) ? input.without : []
  const groups: unknown[] = Array.isArray(input.open) ? input.open : []
  const open = groups.filter((group): group is string => typeof group === 'string')
  const without = LINK_KINDS.filter((kind) => list.includes(kind))
  return {
    ...(input.view === 'list' && { view: 'list' as const }),
    ...(size !== undefined && size !== DEFAULT_SIZE && { size }),
    ...(without.length > 0 && { without }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(open.length > 0 && { open }),
    ...(typeof input.memory === 'string' && { memory: input.memory }),
  }
}
