import Graph from 'graphology'
import louvain from 'graphology-communities-louvain'
import type { PlanInput } from './plan.ts'
import { countWords, similarity, type Vocabulary, vectorOf, type WordCounts } from './plan-words.ts'

/** A cluster of memories, or of clusters. */
export interface Cluster {
  nodes: readonly number[]
  /** Empty for a cluster of memories. */
  children: readonly Cluster[]
}

export const graphOf = ({ links, weights }: Pick<PlanInput, 'links' | 'weights'>): Graph => {
  const graph = new Graph({ type: 'undirected' })
  weights.forEach((weight, i) => {
    const [from, to] = [links[i * 2], links[i * 2 + 1]]
    graph.updateUndirectedEdge(from, to, ({ weight: known = 0 }) => ({ weight: known + weight }))
  })
  return graph
}

/** The clusters of memories with many links to each other, largest first. */
const findCommunities = (graph: Graph): Cluster[] => {
  // Without a random walk, the same graph gets the same clusters.
  const communities = louvain(graph, { randomWalk: false, getEdgeWeight: 'weight' })
  const nodes = Object.groupBy(graph.nodes(), (node) => communities[node] ?? 0)
  return Object.values(nodes)
    .map((own = []): Cluster => ({ nodes: own.map(Number), children: [] }))
    .toSorted((a, b) => b.nodes.length - a.nodes.length)
}

interface Part {
  clusters: Cluster[]
  size: number
  counts: Map<number, number>
  vector: WordCounts
  /** The weight of the links to other parts. */
  links: Map<Part, number>
}

/** Joins clusters until there are few: the smallest one with the one that is closest to it. */
const join = (
  graph: Graph,
  words: Vocabulary,
  clusters: readonly Cluster[],
  max: number,
): Cluster[][] => {
  const parts = new Set(clusters.map((cluster) => partOf(words, cluster)))
  linkParts(graph, parts)
  while (parts.size > max) {
    const [smallest, ...others] = [...parts].toSorted((a, b) => a.size - b.size)
    const closest = smallest && closestOf(smallest, others)
    if (!closest) break
    parts.delete(smallest)
    merge(words, closest, smallest)
  }
  return Array.from(parts, ({ clusters: joined }) => joined)
}

const partOf = (words: Vocabulary, cluster: Cluster): Part => {
  const counts = new Map(countWords(words, cluster.nodes))
  return {
    clusters: [cluster],
    size: cluster.nodes.length,
    counts,
    vector: vectorOf(counts, words.all, words.ofNode.length),
    links: new Map(),
  }
}

const linkParts = (graph: Graph, parts: ReadonlySet<Part>): void => {
  const partOfNode = new Map<string, Part>()
  for (const part of parts)
    for (const { nodes } of part.clusters)
      for (const node of nodes) partOfNode.set(String(node), part)
  graph.forEachEdge((_, { weight }, source, target) => {
    const [from, to] = [partOfNode.get(source), partOfNode.get(target)]
    if (!from || !to || from === to) return
    from.links.set(to, (from.links.get(to) ?? 0) + weight)
    to.links.set(from, (to.links.get(from) ?? 0) + weight)
  })
}

/** By links relative to size, or by words in common for a cluster without any. */
const closestOf = (part: Part, others: readonly Part[]): Part | undefined => {
  const closeness = (other: Part): number => {
    const links = part.links.get(other)
    return links ? 1 + links / Math.sqrt(other.size) : similarity(part.vector, other.vector)
  }
  let [closest] = others
  let best = closest ? closeness(closest) : 0
  for (const other of others) {
    const value = closeness(other)
    if (value > best) [closest, best] = [other, value]
  }
  return closest
}

const merge = (words: Vocabulary, into: Part, part: Part): void => {
  into.clusters.push(...part.clusters)
  into.size += part.size
  for (const [word, count] of part.counts)
    into.counts.set(word, (into.counts.get(word) ?? 0) + count)
  into.vector = vectorOf(into.counts, words.all, words.ofNode.length)
  for (const [other, weight] of part.links) {
    other.links.delete(part)
    if (other === into) continue
    into.links.set(other, (into.links.get(other) ?? 0) + weight)
    other.links.set(into, (other.links.get(into) ?? 0) + weight)
  }
}

const bySize = (a: Cluster, b: Cluster) => b.nodes.length - a.nodes.length

const nest = (
  graph: Graph,
  words: Vocabulary,
  clusters: readonly Cluster[],
  max: number,
): Cluster[] => {
  if (clusters.length <= max) return clusters.toSorted(bySize)
  return join(graph, words, clusters, max)
    .map((joined): Cluster => {
      const [only] = joined
      if (joined.length === 1 && only) return only
      const nodes = joined.flatMap((cluster) => cluster.nodes)
      return { nodes, children: nest(graph, words, joined, max) }
    })
    .toSorted(bySize)
}

/** The outermost clusters of the linked memories, largest first. */
export const findClusters = (graph: Graph, words: Vocabulary, max: number): Cluster[] =>
  graph.order === 0 ? [] : nest(graph, words, findCommunities(graph), max)
