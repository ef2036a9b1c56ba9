import { Type } from '@sinclair/typebox'
import { PageSize, Uuid, withDefault } from '../schemas/common.ts'
import { BridgeMemories, MemoryGraph, RelatedMemories } from '../schemas/graph.ts'
import { endpoint } from './endpoint.ts'

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
