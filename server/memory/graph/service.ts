import { setTimeout as pause } from 'node:timers/promises'
import type { BridgeMemories, MemoryGraph } from '../../../shared/contract/graph.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findGraphState, type GraphState } from './score-store.ts'
import type { Scoring } from './scoring.ts'
import { listBridges, listEdges, listNodes } from './view-store.ts'

/** Maximal wait for the first result of an owner. */
const FIRST_WAIT_MS = 2_000
const POLL_MS = 50
const LABEL_CHARACTERS = 80

export type GraphService = ReturnType<typeof createGraphService>

export const createGraphService = ({ query }: Database, scoring: Scoring) => {
  /** Requests a new result if the present one is stale; waits only if there is none. */
  const refresh = async (ownerId: string): Promise<GraphState> => {
    let state = await findGraphState(query, ownerId)
    if (scoring.isFresh(state) || !state.isEnabled) return state
    // Pending memories are scored after they are linked.
    if (!state.isPending) await scoring.request(ownerId, state)
    if (state.graph) return state
    const endsAt = performance.now() + FIRST_WAIT_MS
    while (!scoring.isFresh(state) && performance.now() < endsAt) {
      await pause(POLL_MS)
      state = await findGraphState(query, ownerId)
    }
    return state
  }

  return {
    /** Memories by descending betweenness, as last computed. */
    async bridges({ userId, ownerId }: Caller, limit: number): Promise<BridgeMemories> {
      await refresh(ownerId)
      const { rows, total } = await listBridges(query, ownerId, limit)
      return {
        user_id: userId,
        bridge_memories: rows.map(({ betweenness, ...row }) => ({
          ...row,
          betweenness_score: betweenness,
        })),
        total,
      }
    },

    /** The most central and the latest memories, with the edges between them. */
    async graph({ ownerId }: Caller, limit: number): Promise<MemoryGraph> {
      const { graph } = await refresh(ownerId)
      const nodes = await listNodes(query, ownerId, limit)
      const ids = nodes.map(({ memory_id }) => memory_id)
      return {
        nodes: nodes.map(({ opening, time, ...node }) => ({
          ...node,
          label: labelOf(opening),
          time: new Date(time).toISOString(),
        })),
        edges: await listEdges(query, ownerId, ids),
        node_count: graph?.nodeCount ?? 0,
        edge_count: graph?.edgeCount ?? 0,
        is_sampled: graph?.isSampled ?? false,
        computed_at: graph?.computedAt.toISOString() ?? null,
      }
    },
  }
}

const labelOf = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LABEL_CHARACTERS
    ? `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…`
    : characters.join('')
}
