import type { Pace } from '../../platform/activity.ts'
import type { Query } from '../../platform/db/database.ts'
import { createEdgeList, type Network, networkOf } from './network.ts'
import { type NetworkNodeRow, pageLinks, pageNodes } from './network-store.ts'

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
