import type { Client } from '../../../shared/client.ts'
import type { Memory, MemoryType } from '../../../shared/contract/memories.ts'
import {
  listMemories,
  type MemoryList,
  type MemoryOrder,
} from '../../../shared/contract/memory-lists.ts'
import { definedFields } from '../../defined.ts'
import { MAX_PAGE_SIZE } from '../../ids.ts'

/** The options that select memories. */
export interface SelectedMemories {
  type?: MemoryType
  thread?: string
  project?: string
  tag?: string
  author?: string
  since?: string
  until?: string
}

/** Lists memories, newest first. A limit above one page needs several requests. */
export const collectMemories = async (
  client: Client,
  { type, ...filter }: SelectedMemories,
  {
    limit = Number.POSITIVE_INFINITY,
    deleted = false,
    sort,
    ...start
  }: { limit?: number; deleted?: boolean; cursor?: string; sort?: MemoryOrder } = {},
): Promise<MemoryList> => {
  const memories: Memory[] = []
  let { cursor } = start
  do {
    const page = await client.call(listMemories, {
      query: definedFields({
        limit: Math.min(MAX_PAGE_SIZE, limit - memories.length),
        cursor,
        deleted,
        sort,
        memory_type: type,
        ...filter,
      }),
    })
    memories.push(...page.memories)
    cursor = page.next_cursor ?? undefined
  } while (cursor && memories.length < limit)
  return { memories, next_cursor: cursor ?? null }
}
