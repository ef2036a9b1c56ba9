import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import { MemoryFacts } from '../schemas/facts.ts'
import { endpoint } from './endpoint.ts'

export const memoryFacts = endpoint({
  name: 'memoryFacts',
  method: 'GET',
  path: '/api/memories/{memory_id}/facts',
  tag: 'Memory',
  summary:
    'List the facts extracted from a memory: names, homes, work, preferences, dates, relations, reminders',
  credential: 'bearer',
  params: Type.Object({ memory_id: Uuid() }),
  success: [200, MemoryFacts],
  errors: { 404: ['memory_not_found'] },
})
