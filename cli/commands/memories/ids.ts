import type { Client } from '../../../shared/client.ts'
import { listMemories } from '../../../shared/contract/memory-lists.ts'
import { type IdItem, type IdList, lastIdWith, MAX_PAGE_SIZE, MIN_SHOWN_CHARS } from '../../ids.ts'

/** The memories whose ids commands take. */
export const memoryIds = (client: Client): IdList => ({
  noun: 'memory',
  command: 'svc memories list',
  find: (prefix) => findMemories(client, prefix, false),
})

export const deletedMemoryIds = (client: Client): IdList => ({
  noun: 'deleted memory',
  command: 'svc memories list --deleted',
  find: (prefix) => findMemories(client, prefix, true),
})

/** Current memories, or else deleted ones. */
export const anyMemoryIds = (client: Client): IdList => ({
  ...memoryIds(client),
  async find(prefix) {
    const current = await findMemories(client, prefix, false)
    const isFound = current.some(({ id }) => id.startsWith(prefix))
    return isFound ? current : findMemories(client, prefix, true)
  },
})

/** The list is ordered by id, so those with the prefix are adjacent. */
const findMemories = async (
  client: Client,
  prefix: string,
  deleted: boolean,
): Promise<IdItem[]> => {
  const { memories } = await client.call(listMemories, {
    query: { limit: MAX_PAGE_SIZE, deleted, ...(prefix && { cursor: lastIdWith(prefix) }) },
  })
  return memories.map(({ memory_id, content_text }) => ({ id: memory_id, label: content_text }))
}

/** All ids that could share a short prefix with these, if one page has them; otherwise undefined. */
export const memoryIdsNear = async (
  client: Client,
  ids: readonly string[],
  deleted: boolean,
): Promise<string[] | undefined> => {
  const [last = '', ...others] = [...ids].sort()
  const prefixOf = (id: string) => id.slice(0, MIN_SHOWN_CHARS)
  const found = await findMemories(client, prefixOf(others.at(-1) ?? last), deleted)
  const end = found.at(-1)?.id ?? ''
  const isComplete = found.length < MAX_PAGE_SIZE || prefixOf(end) < prefixOf(last)
  return isComplete ? found.map(({ id }) => id) : undefined
}
