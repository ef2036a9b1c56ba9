import { setTimeout as pause } from 'node:timers/promises'
import type { BridgeMemories, MemoryGraph } from '../../../shared/schemas/introspect.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findStanding, type Standing } from './scores.ts'
import type { Scoring } from './scoring.ts'
import { countBridges, listBridges, listEdges, listNodes } from './view.ts'

/** Who asks for the first time waits so long for the first result. */
const FIRST_WAIT_MS = 2_000
const LOOK_MS = 50
const LABEL_CHARACTERS = 80

export type GraphService = ReturnType<typeof createGraphService>

export const createGraphService = ({ query }: Database, scoring: Scoring) => {
  /** Has the result renewed where it is stale; waits for it only where there is none. */
  const settle = async (ownerId: string): Promise<Standing> => {
    let standing = await findStanding(query, ownerId)
    if (scoring.isFresh(standing) || !standing.isEnabled) return standing
    // What is pending is scored after it was linked.
    if (!standing.isPending) await scoring.request(ownerId, standing)
    if (standing.graph) return standing
    const endsAt = performance.now() + FIRST_WAIT_MS
    while (!scoring.isFresh(standing) && performance.now() < endsAt) {
      await pause(LOOK_MS)
      standing = await findStanding(query, ownerId)
    }
    return standing
  }

  return {
    /** The memories that join others, the most important joints first, as last computed. */
    async bridges({ userId, ownerId }: Caller, limit: number): Promise<BridgeMemories> {
      await settle(ownerId)
      const rows = await listBridges(query, ownerId, limit)
      return {
        user_id: userId,
        bridge_memories: rows.map(({ betweenness, ...row }) => ({
          ...row,
          betweenness_score: betweenness,
        })),
        total: await countBridges(query, ownerId),
      }
    },

    /** The most central and the latest memories, and the edges among them. */
    async graph({ ownerId }: Caller, limit: number): Promise<MemoryGraph> {
      const { graph } = await settle(ownerId)
      const nodes = await listNodes(query, ownerId, limit)
      const ids = nodes.map(({ memory_id }) => memory_id)
      return {
        nodes: nodes.map(({ opening, ...node }) => ({ ...node, label: labelOf(opening) })),
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
