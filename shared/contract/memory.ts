import { Type } from '@sinclair/typebox'
import { Limit, Uuid, withDefault } from '../schemas/common.ts'
import {
  Memory,
  MemoryEvent,
  MemoryList,
  MemoryType,
  Recall,
  Recalled,
  Remember,
  RememberBatch,
  Remembered,
  RememberedBatch,
  Thread,
  UpdateMemory,
} from '../schemas/memory.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Memory'
const params = Type.Object({ memory_id: Uuid() })

export const remember = endpoint({
  name: 'remember',
  method: 'POST',
  path: '/api/remember',
  tag,
  summary: 'Remember something; the same content in the same thread is kept once',
  credential: 'bearer',
  body: Remember,
  success: [201, Remembered],
  errors: [404, 409],
})

export const rememberBatch = endpoint({
  name: 'rememberBatch',
  method: 'POST',
  path: '/api/remember/batch',
  tag,
  summary: 'Remember up to 1,000 things, all or none',
  credential: 'bearer',
  body: RememberBatch,
  success: [201, RememberedBatch],
  errors: [404, 409],
})

export const recall = endpoint({
  name: 'recall',
  method: 'POST',
  path: '/api/recall',
  tag,
  summary: 'The memories that answer a question best, best first',
  credential: 'bearer',
  body: Recall,
  success: [200, Recalled],
})

export const listMemories = endpoint({
  name: 'listMemories',
  method: 'GET',
  path: '/api/memories',
  tag,
  summary: 'The caller’s memories, newest first',
  credential: 'bearer',
  query: Type.Object({
    limit: Limit(50),
    cursor: Type.Optional(Uuid({ description: '`next_cursor` of the page before.' })),
    thread: Type.Optional(Thread()),
    memory_type: Type.Optional(MemoryType),
  }),
  success: [200, MemoryList],
})

export const getMemory = endpoint({
  name: 'getMemory',
  method: 'GET',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'One memory',
  credential: 'bearer',
  params,
  success: [200, Memory],
  errors: [404],
})

export const deleteMemory = endpoint({
  name: 'deleteMemory',
  method: 'DELETE',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Forget a memory',
  credential: 'bearer',
  params,
  query: Type.Object({
    permanent: withDefault(
      Type.Boolean({ description: 'Erase it now, instead of keeping it 30 days.' }),
      false,
    ),
  }),
  success: [204, null],
  errors: [404],
})

export const updateMemory = endpoint({
  name: 'updateMemory',
  method: 'PATCH',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Change a memory; what it was stays in its history',
  credential: 'bearer',
  params,
  body: UpdateMemory,
  success: [200, Memory],
  errors: [404, 409],
})

export const memoryHistory = endpoint({
  name: 'memoryHistory',
  method: 'GET',
  path: '/api/memories/{memory_id}/history',
  tag,
  summary: 'What happened to a memory, oldest first; also of a forgotten one',
  credential: 'bearer',
  params,
  success: [200, Type.Array(MemoryEvent)],
  errors: [404],
})

export const restoreMemory = endpoint({
  name: 'restoreMemory',
  method: 'POST',
  path: '/api/memories/{memory_id}/restore',
  tag,
  summary: 'Bring back a memory that was forgotten in the last 30 days',
  credential: 'bearer',
  params,
  success: [200, Memory],
  errors: [404, 409],
})
