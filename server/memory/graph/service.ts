import { setTimeout as pause } from 'node:timers/promises'
import {
  type BridgeMemories,
  bridgeMemories,
  MAX_EDGES,
  type MemoryGraph,
  memoryGraph,
  type RelatedMemories,
  relatedMemories,
} from '../../../shared/contract/graph.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { type MemoryCaller, readableTrust } from '../memories/actor.ts'
import type { MemoryService } from '../memories/service.ts'
import { listCurrentFor } from '../memories/succession-store.ts'
import type { OwnerIndexes } from '../recall/owner-indexes.ts'
import { meaningLinks } from './meaning.ts'
import { findGraphState, type GraphState } from './score-store.ts'
import { isFresh, type Scoring } from './scoring.ts'
import { findIds } from './store.ts'
import { listBridges, listEdges, listNodes, listRelated, type RelatedRow } from './view-store.ts'

/** Maximal wait for the first result of an owner. */
const FIRST_WAIT_MS = 2_000
const POLL_MS = 50
const LABEL_CHARACTERS = 80

export type GraphService = ReturnType<typeof createGraphService>

export const createGraphService = (
  { query }: Pick<Database, 'query'>,
  scoring: Pick<Scoring, 'request'>,
  memories: Pick<MemoryService, 'get' | 'listByIds'>,
  indexes: Pick<OwnerIndexes, 'open' | 'fillVectors'>,
) => {
  const refresh = createRefresh(query, scoring)

  /** The links by meaning of some memories; none where the encoder is off. */
  const linksOf = async (ownerId: string, seqs: number[]) => {
    const index = await indexes.open(ownerId)
    if (!index) return []
    await indexes.fillVectors(ownerId, index)
    return meaningLinks(index, seqs)
  }

  /** The rows with the links of a memory by meaning, which replace those by words to the same memory. */
  const withMeaning = async (ownerId: string, rows: RelatedRow[]): Promise<RelatedRow[]> => {
    const seqs = rows.flatMap(({ role, rank }) => (role === 'origin' ? [rank] : []))
    const meant = await linksOf(ownerId, seqs)
    const others = meant.map(({ other }) => other)
    const ids = await findIds(query, ownerId, others)
    const explicit = rows.filter(({ kind }) => kind === 'explicit')
    const linked = new Set(explicit.map(({ memory_id }) => memory_id))
    const byMeaning = meant.flatMap(({ other, similarity: weight }): RelatedRow[] => {
      const memory_id = ids.get(other)
      return memory_id && !linked.has(memory_id)
        ? [{ role: 'link', memory_id, rank: -weight, kind: 'meaning', weight }]
        : []
    })
    const replaced = new Set(byMeaning.map(({ memory_id }) => memory_id))
    return [
      ...byMeaning,
      ...rows.filter(({ kind, memory_id }) => kind !== 'words' || !replaced.has(memory_id)),
    ]
  }

  return {
    /** Memories by descending betweenness, as last computed. */
    async bridges(caller: Caller, limit: number): Promise<BridgeMemories> {
      const { userId, ownerId } = caller
      await refresh(ownerId)
      const page = { limit, trusts: readableTrust(caller) }
      const { rows, total } = await listBridges(query, ownerId, page)
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
    async graph(caller: Caller, limit: number): Promise<MemoryGraph> {
      const { ownerId } = caller
      const { graph } = await refresh(ownerId)
      const trusts = readableTrust(caller)
      const current = [...(await listCurrentFor(query, ownerId, trusts)).keys()]
      const nodes = await listNodes(query, ownerId, { limit, trusts, current })
      const ids = nodes.map(({ memory_id }) => memory_id)
      const idOf = new Map(nodes.map(({ seq, memory_id }) => [seq, memory_id]))
      const meant = await linksOf(ownerId, [...idOf.keys()])
      const byMeaning = meant.flatMap(({ seq, other, similarity }) => {
        const [from, to] = [idOf.get(seq), idOf.get(other)]
        return from && to ? [{ from, to, kind: 'meaning' as const, weight: similarity }] : []
      })
      const edges = await listEdges(query, ownerId, ids)
      return {
        nodes: nodes.map(({ opening, time, seq: _, ...node }) => ({
          ...node,
          label: labelOf(opening),
          time: new Date(time).toISOString(),
        })),
        edges: [...byMeaning, ...edges].slice(0, MAX_EDGES),
        node_count: graph?.nodeCount ?? 0,
        edge_count: graph?.edgeCount ?? 0,
        is_sampled: graph?.isSampled ?? false,
        computed_at: graph?.computedAt.toISOString() ?? null,
      }
    },

    /**
     * The memories around one memory.
     * @throws ApiError 404 when the memory does not exist or is deleted.
     */
    async related(
      caller: MemoryCaller,
      memoryId: string,
      neighborCount: number,
    ): Promise<RelatedMemories> {
      await memories.get(caller, memoryId)
      const { ownerId } = caller
      const stored = await listRelated(query, ownerId, memoryId, neighborCount)
      const rows = await withMeaning(ownerId, stored)
      const ids = [...new Set(rows.map(({ memory_id }) => memory_id))]
      const found = await memories.listByIds(caller, ids)
      const byId = new Map(found.map((memory) => [memory.memory_id, memory]))
      return presentRelated(rows, byId)
    },
  }
}

/** Requests a new result if the present one is stale; waits only if there is none. */
const createRefresh =
  (query: Query, scoring: Pick<Scoring, 'request'>) =>
  async (ownerId: string): Promise<GraphState> => {
    let state = await findGraphState(query, ownerId)
    if (isFresh(state) || !state.isEnabled) return state
    // Pending memories are scored after they are linked.
    if (!state.isPending) await scoring.request(ownerId, state)
    if (state.graph) return state
    const endsAt = performance.now() + FIRST_WAIT_MS
    while (!isFresh(state) && performance.now() < endsAt) {
      await pause(POLL_MS)
      state = await findGraphState(query, ownerId)
    }
    return state
  }

const labelOf = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LABEL_CHARACTERS
    ? `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…`
    : characters.join('')
}

const presentRelated = (rows: RelatedRow[], byId: Map<string, Memory>): RelatedMemories => {
  const inRole = (role: RelatedRow['role']) =>
    rows.flatMap((row) => (row.role === role ? (byId.get(row.memory_id) ?? []) : []))
  return {
    before: inRole('before'),
    after: inRole('after'),
    links: rows.flatMap(({ memory_id, kind, weight }) => {
      const memory = byId.get(memory_id)
      return memory && kind ? [{ memory, kind, weight: weight ?? 0 }] : []
    }),
    earlier_versions: inRole('earlier'),
    later_versions: inRole('later'),
  }
}

export const graphRoutes = (mount: Mount, graphs: GraphService): void => {
  mount(bridgeMemories, ({ caller, query }) => graphs.bridges(caller, query.limit))
  mount(memoryGraph, ({ caller, query }) => graphs.graph(caller, query.limit))
  mount(relatedMemories, ({ caller, params, query }) =>
    graphs.related(caller, params.memory_id, query.neighbors),
  )
}
