import type { Client } from '../../../shared/client.ts'
import type { MemoryList, MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import { recall } from '../../../shared/contract/recall.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { usageError } from '../../errors.ts'
import { MAX_PAGE_SIZE } from '../../ids.ts'
import { printNextPage } from '../../list.ts'
import { collectMemories, type SelectedMemories } from './filter.ts'
import { printMemories } from './table.ts'

interface ListMemoriesArgs extends SelectedMemories {
  limit?: number
  cursor?: string
  deleted?: boolean
  sort?: MemoryOrder
  search?: string
}

const DEFAULT_LIMIT = 30

/** Lists memories, newest first, or with `--search` best first. */
export const runMemoriesList = async (context: Context, args: ListMemoriesArgs): Promise<void> => {
  const { limit = DEFAULT_LIMIT, search, cursor, deleted, sort, ...filter } = args
  const client = signedInClient(context)
  const { memories, next_cursor } =
    search === undefined
      ? await collectMemories(client, filter, definedFields({ limit, cursor, deleted, sort }))
      : await searchMemories(client, search, filter, limit)
  const response = { memories, next_cursor }
  await printMemories(context, client, { memories, deleted, empty: emptyMessage(args), response })
  const next = { ...filter, limit: args.limit, deleted, sort, cursor: next_cursor ?? undefined }
  printNextPage(context, next_cursor !== null, ['memories', 'list'], next)
}

const searchMemories = async (
  client: Client,
  query: string,
  { type, tag, ...filter }: SelectedMemories,
  limit: number,
): Promise<MemoryList> => {
  // The server finds one page only.
  if (limit > MAX_PAGE_SIZE)
    throw usageError(
      `--search finds ${MAX_PAGE_SIZE} memories at most.`,
      `Run it again with --limit ${MAX_PAGE_SIZE}.`,
    )
  const { memories } = await client.call(recall, {
    body: {
      query,
      limit,
      ...definedFields({ ...filter, memory_type: type, tags: tag === undefined ? tag : [tag] }),
    },
  })
  return { memories, next_cursor: null }
}

const emptyMessage = ({ limit, cursor, deleted, sort, ...filter }: ListMemoriesArgs): string => {
  if (deleted) return 'No deleted memories.'
  return Object.keys(filter).length
    ? 'No memories match.'
    : 'No memories. To add one, run: svc remember "…"'
}
