import type { Stepwise } from '../../platform/event-loop.ts'
import type { Network } from './network.ts'

/** Up to this number of linked nodes, betweenness is exact. */
const EXACT_NODES = 5_000

/** The number of shortest paths may double with each step. Larger counts are scaled down. */
const MANY_PATHS = 1e150
const FEWEST_PATHS = 1e-150

export interface Betweenness {
  /** One per node, from 0 to 1. */
  scores: Float64Array
  /** The scores are estimates from a sample of sources. */
  isSampled: boolean
}

/**
 * Betweenness centrality: the share of pairs of other nodes whose shortest paths contain a node (Freeman
 * 1977), computed by the algorithm of Brandes (2001). In a graph of more than `exactNodes` linked nodes
 * it is estimated from a sample of sources (Brandes and Pich 2007), the same for the same graph.
 *
 * Yields after each source.
 */
export function* betweennessOf(network: Network, exactNodes = EXACT_NODES): Stepwise<Betweenness> {
  const { nodeCount, starts } = network
  const linked = linkedNodes(nodeCount, starts)
  const isSampled = linked.length > exactNodes
  const sources = isSampled
    ? // Keeps the work constant: the more nodes, the fewer sources.
      sampleOf(linked, Math.ceil(exactNodes ** 2 / linked.length))
    : linked

  const scores = new Float64Array(nodeCount)
  const addFrom = createAccumulation(network, scores)
  for (const source of sources) {
    addFrom(source)
    yield
  }

  const pairs = (nodeCount - 1) * (nodeCount - 2)
  const scale = pairs > 0 && sources.length > 0 ? linked.length / sources.length / pairs : 0
  return { scores: scores.map((score) => Math.min(score * scale, 1)), isSampled }
}

/**
 * Adds to `scores` each node's dependency on the shortest paths from one source.
 *
 * Path counts are floating-point numbers that are scaled down: with many parallel links they exceed any
 * integer, and the largest double too.
 */
const createAccumulation = (network: Network, scores: Float64Array) => {
  const { nodeCount, starts, neighbors } = network
  const distance = new Int32Array(nodeCount).fill(-1)
  const paths = new Float64Array(nodeCount)
  const dependency = new Float64Array(nodeCount)
  /** Nodes in breadth-first order. */
  const order = new Int32Array(nodeCount)
  /** By distance: whether its path counts were scaled. */
  const scaled: boolean[] = []

  /** Counts the shortest paths to all reachable nodes. @returns the number of these nodes. */
  const explore = (source: number): number => {
    let reached = 1
    order[0] = source
    distance[source] = 0
    paths[source] = 1
    scaled.length = 0
    let start = 0
    for (let next = 1; start < reached; next++) {
      const end = reached
      let maxCount = 0
      for (let i = start; i < end; i++) {
        const v = order[i] as number
        const pathsToV = paths[v] as number
        const last = starts[v + 1] as number
        for (let j = starts[v] as number; j < last; j++) {
          const w = neighbors[j] as number
          if (distance[w] === -1) {
            distance[w] = next
            order[reached++] = w
          }
          if (distance[w] !== next) continue
          const count = (paths[w] as number) + pathsToV
          paths[w] = count
          if (count > maxCount) maxCount = count
        }
      }
      scaled[next] = maxCount > MANY_PATHS
      if (scaled[next])
        for (let i = end; i < reached; i++) {
          const w = order[i] as number
          paths[w] = Math.max((paths[w] as number) / MANY_PATHS, FEWEST_PATHS)
        }
      start = end
    }
    return reached
  }

  return (source: number): void => {
    for (let i = explore(source) - 1; i >= 0; i--) {
      const w = order[i] as number
      const nearer = (distance[w] as number) - 1
      const factor = scaled[nearer + 1] ? MANY_PATHS : 1
      const share = (1 + (dependency[w] as number)) / (paths[w] as number) / factor
      if (w !== source) {
        const last = starts[w + 1] as number
        for (let j = starts[w] as number; j < last; j++) {
          const v = neighbors[j] as number
          if (distance[v] === nearer)
            dependency[v] = (dependency[v] as number) + (paths[v] as number) * share
        }
        scores[w] = (scores[w] as number) + (dependency[w] as number)
      }
      // Farther nodes are already cleared.
      distance[w] = -1
      paths[w] = 0
      dependency[w] = 0
    }
  }
}

const linkedNodes = (nodeCount: number, starts: Int32Array): Int32Array =>
  Int32Array.from({ length: nodeCount }, (_, node) => node).filter(
    (node) => (starts[node + 1] as number) > (starts[node] as number),
  )

/** The first `count` nodes of a Fisher-Yates shuffle with a fixed seed. */
const sampleOf = (nodes: Int32Array, count: number): Int32Array => {
  const random = mulberry32(nodes.length)
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (nodes.length - i))
    const node = nodes[j] as number
    nodes[j] = nodes[i] as number
    nodes[i] = node
  }
  return nodes.subarray(0, count)
}

/** The mulberry32 generator of Tommy Ettinger. @returns numbers from 0 to below 1. */
const mulberry32 = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
