import { Type } from '@sinclair/typebox'
import { PageSize, Timestamp, Uuid, withDefault } from '../schemas/common.ts'
import {
  Author,
  Memory,
  MemoryEvent,
  MemoryList,
  MemoryType,
  Remember,
  RememberBatch,
  Remembered,
  RememberedBatch,
  Tag,
  Thread,
  UpdateMemory,
} from '../schemas/memories.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Memory'
const params = Type.Object({ memory_id: Uuid() })

export const remember = endpoint({
  name: 'remember',
  method: 'POST',
  path: '/api/remember',
  tag,
  summary: 'Store a memory; the same content in the same thread is stored once',
  credential: 'bearer',
  body: Remember,
  success: [201, Remembered],
  errors: { 404: ['superseded_not_found'], 409: ['superseded_twice', 'supersedes_itself'] },
})

export const rememberBatch = endpoint({
  name: 'rememberBatch',
  method: 'POST',
  path: '/api/remember/batch',
  tag,
  summary: 'Store up to 1,000 memories, all or none',
  credential: 'bearer',
  body: RememberBatch,
  success: [201, RememberedBatch],
  errors: { 404: ['superseded_not_found'], 409: ['superseded_twice', 'supersedes_itself'] },
})

export const listMemories = endpoint({
  name: 'listMemories',
  method: 'GET',
  path: '/api/memories',
  tag,
  summary: 'List the caller’s memories, newest first',
  credential: 'bearer',
  query: Type.Object({
    limit: PageSize(50),
    cursor: Type.Optional(Uuid({ description: 'The `next_cursor` of the previous page.' })),
    thread: Type.Optional(Thread()),
    memory_type: Type.Optional(MemoryType),
    tag: Type.Optional(Tag({ description: 'Only memories with this tag.' })),
    author: Type.Optional(Author({ description: 'Only memories by this author.' })),
    since: Type.Optional(
      Timestamp({ description: 'Only memories of events at or after this time.' }),
    ),
    until: Type.Optional(Timestamp({ description: 'Only memories of events before this time.' })),
    deleted: withDefault(
      Type.Boolean({ description: 'List the deleted memories that can be restored instead.' }),
      false,
    ),
  }),
  success: [200, MemoryList],
})

export const getMemory = endpoint({
  name: 'getMemory',
  method: 'GET',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Get a memory',
  credential: 'bearer',
  params,
  query: Type.Object({
    deleted: withDefault(
      Type.Boolean({ description: 'Get a deleted memory that can be restored instead.' }),
      false,
    ),
  }),
  success: [200, Memory],
  errors: { 404: ['memory_not_found'] },
})

export const deleteMemory = endpoint({
  name: 'deleteMemory',
  method: 'DELETE',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Delete a memory; it can be restored for 30 days',
  credential: 'bearer',
  params,
  query: Type.Object({
    permanent: withDefault(
      Type.Boolean({
        description: 'Delete it immediately and permanently, instead of keeping it for 30 days.',
      }),
      false,
    ),
  }),
  success: [204, null],
  errors: { 404: ['memory_not_found'] },
})

export const updateMemory = endpoint({
  name: 'updateMemory',
  method: 'PATCH',
  path: '/api/memories/{memory_id}',
  tag,
  summary: 'Update a memory; earlier versions stay in its history',
  credential: 'bearer',
  params,
  body: UpdateMemory,
  success: [200, Memory],
  errors: {
    404: ['memory_not_found', 'superseded_not_found'],
    409: ['memory_superseded', 'memory_duplicate', 'superseded_twice', 'supersedes_itself'],
  },
})

export const memoryHistory = endpoint({
  name: 'memoryHistory',
  method: 'GET',
  path: '/api/memories/{memory_id}/history',
  tag,
  summary: 'List the changes to a memory, oldest first; also for a deleted memory',
  credential: 'bearer',
  params,
  success: [200, Type.Array(MemoryEvent)],
  errors: { 404: ['memory_not_found'] },
})

export const restoreMemory = endpoint({
  name: 'restoreMemory',
  method: 'POST',
  path: '/api/memories/{memory_id}/restore',
  tag,
  summary: 'Restore a memory that was deleted in the last 30 days',
  credential: 'bearer',
  params,
  success: [200, Memory],
  errors: { 404: ['memory_not_found'], 409: ['memory_duplicate'] },
})
