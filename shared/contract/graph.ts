import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Memory, MemoryType } from './memories.ts'

export const BridgeMemories = Type.Object({
  user_id: Uuid(),
  bridge_memories: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      content_text: Type.String(),
      betweenness_score: Type.Number({
        description:
          'Betweenness centrality: the share of shortest paths between other memories that pass through this one, 0-1.',
      }),
      importance: Type.Number(),
      memory_type: MemoryType,
      tags: Type.Array(Type.String()),
    }),
  ),
  total: Type.Integer({ description: 'Number of memories with a betweenness above 0.' }),
})
export type BridgeMemories = Static<typeof BridgeMemories>

/** Serializing more would block the event loop for longer than 50 ms. */
export const MAX_EDGES = 10_000

export const MemoryGraph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      label: Type.String({ description: 'The start of the memory.' }),
      memory_type: MemoryType,
      importance: Type.Number(),
      thread: Nullable(Type.String()),
      time: Timestamp({
        description: 'When it happened, or when it was stored if that is unknown.',
      }),
      betweenness: Type.Number(),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      from: Uuid(),
      to: Uuid(),
      kind: OneOf(['thread', 'words', 'meaning', 'explicit', 'supersedes']),
      weight: Type.Number({
        description:
          'For kind `words`, the rarity of the shared words; for `meaning`, the cosine similarity; otherwise 1.',
      }),
    }),
    {
      description: `At most ${MAX_EDGES.toLocaleString('en')}; the weakest of kind \`words\` are left out.`,
    },
  ),
  node_count: Type.Integer({ description: 'Number of nodes of the whole graph.' }),
  edge_count: Type.Integer(),
  is_sampled: Type.Boolean({
    description: 'Whether betweenness is estimated by sampling, because the graph is large.',
  }),
  computed_at: Nullable(Timestamp()),
})
export type MemoryGraph = Static<typeof MemoryGraph>

export const RelatedMemories = Type.Object({
  before: Type.Array(Memory, { description: 'The memories before it in its thread, in order.' }),
  after: Type.Array(Memory, { description: 'The memories after it in its thread, in order.' }),
  links: Type.Array(
    Type.Object({
      memory: Memory,
      kind: OneOf(['words', 'meaning', 'explicit'], {
        description:
          '`words`: they share rare words; `meaning`: they mean something alike, from a weight of about 0.7 on often the same in other words; `explicit`: the metadata of one names the other.',
      }),
      weight: Type.Number(),
    }),
    { description: 'The memories that are linked to it, closest first of each kind, up to 24.' },
  ),
  earlier_versions: Type.Array(Memory, {
    description: 'The memories that it superseded, directly or not, the latest first, up to 50.',
  }),
  later_versions: Type.Array(Memory, {
    description: 'The memories that supersede it, directly or not, the oldest first, up to 50.',
  }),
})
export type RelatedMemories = Static<typeof RelatedMemories>

const tag = 'Introspection'

export const bridgeMemories = endpoint({
  name: 'bridgeMemories',
  method: 'GET',
  path: '/api/introspect/bridge-memories',
  tag,
  summary: 'List the memories that connect otherwise distant memories (betweenness centrality)',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: Type.Object({ limit: PageSize(10) }),
  success: [200, BridgeMemories],
})

export const memoryGraph = endpoint({
  name: 'memoryGraph',
  method: 'GET',
  path: '/api/introspect/graph',
  tag,
  summary: 'Get the memory graph for display: the most central and the latest memories',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: Type.Object({
    limit: withDefault(
      Type.Integer({ minimum: 1, maximum: 5000, description: 'Maximum number of memories.' }),
      200,
    ),
  }),
  success: [200, MemoryGraph],
})

export const relatedMemories = endpoint({
  name: 'relatedMemories',
  method: 'GET',
  path: '/api/memories/{memory_id}/related',
  tag: 'Memory',
  summary: 'Get the neighbors of a memory in its thread, its links and its other versions',
  credential: 'bearer',
  params: Type.Object({ memory_id: Uuid() }),
  query: Type.Object({
    neighbors: withDefault(
      Type.Integer({
        minimum: 0,
        maximum: 50,
        description: 'Maximum number of memories before and after it in its thread.',
      }),
      3,
    ),
  }),
  success: [200, RelatedMemories],
  errors: { 404: ['memory_not_found'] },
})
