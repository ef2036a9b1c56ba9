import type { MemoryGraph } from '../../../shared/contract/graph.ts'
import type { LinkKind } from './search.ts'

export interface GraphNode {
  /** Its position in `GraphModel.nodes`. */
  index: number
  id: string
  label: string
  type: MemoryGraph['nodes'][number]['memory_type']
  thread: string | null
  /** In milliseconds since 1970. */
  time: number
  /** From 0 to 1. */
  betweenness: number
}

export interface GraphLink {
  /** Positions in `GraphModel.nodes`. */
  from: number
  to: number
  kind: LinkKind
  weight: number
}

export interface GraphModel {
  /** By descending betweenness. */
  nodes: readonly GraphNode[]
  links: readonly GraphLink[]
  byId: ReadonlyMap<string, GraphNode>
  /** The links of each node, by its position. */
  linksOf: readonly (readonly GraphLink[])[]
  firstTime: number
  lastTime: number
}

export const createModel = (graph: MemoryGraph): GraphModel => {
  const nodes = graph.nodes.map(
    (node, index): GraphNode => ({
      index,
      id: node.memory_id,
      label: node.label,
      type: node.memory_type,
      thread: node.thread,
      time: Date.parse(node.time),
      betweenness: node.betweenness,
    }),
  )
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const linksOf: GraphLink[][] = nodes.map(() => [])
  const links = graph.edges.flatMap(({ from, to, kind, weight }): GraphLink[] => {
    const [source, target] = [byId.get(from), byId.get(to)]
    if (!source || !target || source === target) return []
    const link = { from: source.index, to: target.index, kind, weight }
    linksOf[link.from]?.push(link)
    linksOf[link.to]?.push(link)
    return [link]
  })
  const times = nodes.map(({ time }) => time)
  const firstTime = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const lastTime = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return { nodes, links, byId, linksOf, firstTime, lastTime }
}

/** A bridge memory connects groups; more than these would not stand out. */
const MAX_BRIDGES = 20

/** The memories with the highest betweenness. */
export const bridgesOf = ({ nodes }: GraphModel): readonly GraphNode[] =>
  nodes.filter(({ betweenness }) => betweenness > 0).slice(0, MAX_BRIDGES)

export interface GraphFilter {
  without: readonly LinkKind[]
  from: number
  to: number
}

export const isNodeShown = ({ time }: GraphNode, { from, to }: GraphFilter): boolean =>
  time >= from && time <= to

export const isLinkShown = ({ kind }: GraphLink, { without }: GraphFilter): boolean =>
  !without.includes(kind)
