import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { MemoryType } from './memory.ts'

export const BridgeMemories = Type.Object({
  user_id: Uuid(),
  bridge_memories: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      content_text: Type.String(),
      betweenness_score: Type.Number({
        description: 'Of all pairs of other memories, the share that it lies between: 0-1.',
      }),
      importance: Type.Number(),
      memory_type: MemoryType,
      tags: Type.Array(Type.String()),
    }),
  ),
  total: Type.Integer({ description: 'How many memories lie between others at all.' }),
})
export type BridgeMemories = Static<typeof BridgeMemories>

export const MemoryGraph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      label: Type.String({ description: 'How it begins.' }),
      memory_type: MemoryType,
      importance: Type.Number(),
      thread: Nullable(Type.String()),
      betweenness: Type.Number(),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      from: Uuid(),
      to: Uuid(),
      kind: OneOf(['thread', 'words', 'explicit', 'supersedes']),
      weight: Type.Number({ description: 'Of shared words, how rare they are; else 1.' }),
    }),
  ),
  node_count: Type.Integer({ description: 'Of the whole graph, as it was computed.' }),
  edge_count: Type.Integer(),
  is_sampled: Type.Boolean({ description: 'Betweenness is estimated: the graph is large.' }),
  computed_at: Nullable(Timestamp()),
})
export type MemoryGraph = Static<typeof MemoryGraph>

const Counts = (options = {}) => Type.Record(Type.String(), Type.Integer(), options)

export const MemoryStatistics = Type.Object({
  memories: Type.Object({
    total: Type.Integer({ description: 'Those that recall finds.' }),
    by_type: Counts(),
    by_language: Counts({ description: 'By the language whose stems they are found by.' }),
    forgotten: Type.Integer({ description: 'Those that can still be restored.' }),
    superseded: Type.Integer({ description: 'Those whose place another took.' }),
    oldest: Nullable(Timestamp()),
    newest: Nullable(Timestamp()),
  }),
  threads: Type.Integer(),
  authors: Type.Integer(),
  tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() }), {
    description: 'The 20 on the most memories.',
  }),
  facts: Counts({ description: 'What was read out of memories, by kind.' }),
  links: Type.Integer({ description: 'Between memories, their threads aside.' }),
  engines: Type.Array(
    Type.Object({
      engine: Type.String(),
      pending: Type.Integer({ description: 'How many memories wait for it.' }),
    }),
  ),
})
export type MemoryStatistics = Static<typeof MemoryStatistics>
