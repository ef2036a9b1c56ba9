import { MemoryStatistics } from '../schemas/introspect.ts'
import { endpoint } from './endpoint.ts'

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
