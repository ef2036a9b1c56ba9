import { Type } from '@sinclair/typebox'
import { Limit, withDefault } from '../schemas/common.ts'
import { BridgeMemories, MemoryGraph, MemoryStatistics } from '../schemas/introspect.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Introspection'

export const bridgeMemories = endpoint({
  name: 'bridgeMemories',
  method: 'GET',
  path: '/api/introspect/bridge-memories',
  tag,
  summary: 'The memories that join others which would be far apart without them',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: Type.Object({ limit: Limit(10) }),
  success: [200, BridgeMemories],
})

export const memoryGraph = endpoint({
  name: 'memoryGraph',
  method: 'GET',
  path: '/api/introspect/graph',
  tag,
  summary: 'Memories and what links them, for drawing: the most central and the latest',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: Type.Object({
    limit: withDefault(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'How many memories to return.' }),
      200,
    ),
  }),
  success: [200, MemoryGraph],
})

export const memoryStatistics = endpoint({
  name: 'memoryStatistics',
  method: 'GET',
  path: '/api/introspect/stats',
  tag,
  summary: 'What is remembered, in numbers',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [200, MemoryStatistics],
})
