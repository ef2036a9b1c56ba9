import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

const Counts = (options = {}) => Type.Record(Type.String(), Type.Integer(), options)

export const MemoryStatistics = Type.Object({
  memories: Type.Object({
    total: Type.Integer({ description: 'Memories that recall searches.' }),
    by_type: Counts(),
    by_language: Counts({ description: 'By the language that is used for stemming.' }),
    forgotten: Type.Integer({ description: 'Deleted memories that can still be restored.' }),
    superseded: Type.Integer({ description: 'Memories that another memory replaced.' }),
    oldest: Nullable(Timestamp()),
    newest: Nullable(Timestamp()),
  }),
  threads: Type.Integer(),
  authors: Type.Integer(),
  tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() }), {
    description: 'The 20 most frequent tags.',
  }),
  facts: Counts({ description: 'Extracted facts by kind.' }),
  links: Type.Integer({ description: 'Links between memories, except those by thread.' }),
  engines: Type.Array(
    Type.Object({
      engine: Type.String(),
      pending: Type.Integer({ description: 'Number of memories in the queue of the engine.' }),
    }),
  ),
})
export type MemoryStatistics = Static<typeof MemoryStatistics>

const tag = 'Introspection'

export const memoryStatistics = endpoint({
  name: 'memoryStatistics',
  method: 'GET',
  path: '/api/introspect/stats',
  tag,
  summary: 'Get statistics about the caller’s memories',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  success: [200, MemoryStatistics],
})
