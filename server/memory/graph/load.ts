import { setImmediate as turn } from 'node:timers/promises'
import type { Query } from '../../platform/db/database.ts'
import { createEdgeList, type Network, networkOf } from './network.ts'

/** Of an owner who has more, the latest so many memories are looked at. */
export const MAX_NODES = 100_000
/** Rows are read in pages, so that nobody waits long while they are. */
const PAGE = 2_000

const NODES = `
select seq, memory_id, thread_no, position from memories
where owner_id = $1 and seq < $2 and deleted_at is null and superseded_by is null
order by seq desc limit $3`

const LINKS = `
select memory_id, other_id, kind from memory_links
where owner_id = $1 and (memory_id, other_id, kind) > ($2, $3, $4)
order by memory_id, other_id, kind limit $5`

interface Place {
  node: number
  position: number
  seq: number
}

/** A graph of memories, with the id of each node. */
export interface MemoryNetwork {
  network: Network
  ids: string[]
}

/** Reads the graph of an owner's live memories: links, and what is next to each other in a thread. */
export const loadNetwork = async (
  query: Query,
  ownerId: string,
  maxNodes = MAX_NODES,
): Promise<MemoryNetwork> => {
  const ids: string[] = []
  const threads = new Map<string, Place[]>()
  for (let before = Number.MAX_SAFE_INTEGER; ids.length < maxNodes; ) {
    const limit = Math.min(PAGE, maxNodes - ids.length)
    const rows = await query<{
      seq: string
      memory_id: string
      thread_no: string
      position: number | null
    }>(NODES, [ownerId, before, limit])
    for (const { seq, memory_id, thread_no, position } of rows) {
      const node = ids.push(memory_id) - 1
      before = Number(seq)
      if (position === null) continue
      const thread = String(thread_no)
      const place = { node, position, seq: before }
      const places = threads.get(thread)
      if (places) places.push(place)
      else threads.set(thread, [place])
    }
    if (rows.length < limit) break
    await turn()
  }

  const edges = createEdgeList()
  for (const places of threads.values()) {
    places.sort((a, b) => a.position - b.position || a.seq - b.seq)
    for (const [i, { node }] of places.entries()) edges.add(node, places[i - 1]?.node ?? node)
  }

  const nodes = new Map(ids.map((id, node) => [id, node]))
  let last = { memory_id: NO_ID, other_id: NO_ID, kind: '' }
  for (;;) {
    const rows = await query<typeof last>(LINKS, [
      ownerId,
      last.memory_id,
      last.other_id,
      last.kind,
      PAGE,
    ])
    for (const row of rows) {
      const from = nodes.get(row.memory_id)
      const to = nodes.get(row.other_id)
      if (from !== undefined && to !== undefined) edges.add(from, to)
      last = row
    }
    if (rows.length < PAGE) break
    await turn()
  }
  return { network: networkOf(ids.length, edges.pairs), ids }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
