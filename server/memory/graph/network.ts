import type { Query } from '../../platform/db/database.ts'
import type { Pace } from '../../platform/request-rate.ts'
import { type NetworkNodeRow, pageLinks, pageNodes } from './score-store.ts'

/** An undirected graph: the neighbours of node `v` are `neighbors[starts[v]]` up to `starts[v + 1]`. */
export interface Network {
  nodeCount: number
  edgeCount: number
  starts: Int32Array
  neighbors: Int32Array
}

/** Collects edges as pairs of nodes, in any order and with duplicates. */
export const createEdgeList = () => {
  let pairs = new Int32Array(1024)
  let length = 0
  return {
    add(a: number, b: number): void {
      if (a === b) return
      if (length === pairs.length) {
        const larger = new Int32Array(length * 2)
        larger.set(pairs)
        pairs = larger
      }
      pairs[length++] = a
      pairs[length++] = b
    },
    get pairs(): Int32Array {
      return pairs.subarray(0, length)
    },
  }
}

/** Builds a graph from pairs of nodes; duplicate edges count once. */
export const networkOf = (nodeCount: number, pairs: Int32Array): Network => {
  const ends = new Int32Array(nodeCount + 1)
  for (const node of pairs) ends[node + 1] = (ends[node + 1] as number) + 1
  for (let node = 0; node < nodeCount; node++)
    ends[node + 1] = (ends[node + 1] as number) + (ends[node] as number)
  const all = new Int32Array(pairs.length)
  const next = ends.slice()
  for (let i = 0; i < pairs.length; i++) {
    const from = pairs[i] as number
    const place = next[from] as number
    all[place] = pairs[i ^ 1] as number
    next[from] = place + 1
  }

  const starts = new Int32Array(nodeCount + 1)
  const seenFrom = new Int32Array(nodeCount).fill(-1)
  let length = 0
  for (let node = 0; node < nodeCount; node++) {
    for (let i = ends[node] as number; i < (ends[node + 1] as number); i++) {
      const neighbor = all[i] as number
      if (seenFrom[neighbor] === node) continue
      seenFrom[neighbor] = node
      all[length++] = neighbor
    }
    starts[node + 1] = length
  }
  return { nodeCount, edgeCount: length / 2, starts, neighbors: all.subarray(0, length) }
}

/** The graph of an owner with more memories contains the latest ones. */
export const MAX_NODES = 100_000

/** A graph of memories, with the id of each node. */
interface MemoryNetwork {
  network: Network
  ids: string[]
}

/**
 * Loads the graph of an owner's live memories. Its edges are the links, and the neighbours in a thread.
 * @param pace called after each page with the time that it took.
 */
export const loadNetwork = async (
  query: Query,
  ownerId: string,
  pace: Pace,
  maxNodes = MAX_NODES,
): Promise<MemoryNetwork> => {
  let since = performance.now()
  const pause = async () => {
    await pace(performance.now() - since)
    since = performance.now()
  }
  const edges = createEdgeList()
  const ids: string[] = []
  const threads = createThreads()
  for await (const rows of pageNodes(query, ownerId, maxNodes)) {
    for (const row of rows) threads.add(ids.push(row.memory_id) - 1, row)
    await pause()
  }
  for (const [node, next] of threads.neighbors()) edges.add(node, next)

  const nodes = new Map(ids.map((id, node) => [id, node]))
  for await (const rows of pageLinks(query, ownerId)) {
    for (const { memory_id, other_id } of rows) {
      const from = nodes.get(memory_id)
      const to = nodes.get(other_id)
      if (from !== undefined && to !== undefined) edges.add(from, to)
    }
    await pause()
  }
  return { network: networkOf(ids.length, edges.pairs), ids }
}

/** Groups nodes by thread, in the order of their positions. */
const createThreads = () => {
  const threads = new Map<string, { node: number; position: number; seq: number }[]>()
  return {
    add(node: number, { seq, thread_no, position }: NetworkNodeRow): void {
      if (position === null) return
      const thread = String(thread_no)
      const entry = { node, position, seq: Number(seq) }
      const entries = threads.get(thread)
      if (entries) entries.push(entry)
      else threads.set(thread, [entry])
    },
    *neighbors(): Generator<[number, number]> {
      for (const entries of threads.values()) {
        entries.sort((a, b) => a.position - b.position || a.seq - b.seq)
        for (const [i, { node }] of entries.entries()) yield [node, entries[i - 1]?.node ?? node]
      }
    },
  }
}
