import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import {
  listMemories,
  type MemoryFacets,
  type MemoryList,
  memoryFacets,
} from '../../../shared/contract/memory-lists.ts'
import { callApi } from '../../session/client.ts'
import { useApi } from '../../session/query.ts'
import { queryClient } from '../../session/query-client.ts'
import { listQuery, type MemorySearch } from './search.ts'

/** A key of its own: other screens request `listMemories` again, which may be a thousand pages here. */
const KEY = 'memories in pages'
const PAGE_SIZE = 100
const NEWS_INTERVAL_MS = 30_000

/**
 * The memories that match, newest first, page by page. Loaded pages are not requested again; changes are
 * applied to them in place.
 */
export const useMemoryPages = (search: MemorySearch) => {
  const query = listQuery(search)
  const pages = useInfiniteQuery({
    queryKey: [KEY, query],
    queryFn: ({ pageParam: cursor, signal }) =>
      callApi(listMemories, {
        query: { ...query, limit: PAGE_SIZE, ...(cursor && { cursor }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    refetchOnReconnect: false,
  })
  const memories = useMemo(() => pages.data?.pages.flatMap((page) => page.memories), [pages.data])
  return { ...pages, memories }
}

/** More values are typed. */
const MAX_SUGGESTIONS = 100

/** How many memories match, and the values that they can be filtered by. */
export const useFacets = (search: MemorySearch, enabled = true): MemoryFacets | undefined => {
  const { sort, ...filter } = listQuery(search)
  return useApi(memoryFacets, { query: { ...filter, limit: MAX_SUGGESTIONS } }, { enabled }).data
}

/** Whether the server has a newer memory than the first one of the list. */
export const useHasNews = (search: MemorySearch, memories: readonly Memory[] | undefined) => {
  const latest = useApi(
    listMemories,
    { query: { ...listQuery(search), limit: 1 } },
    { pollMs: NEWS_INTERVAL_MS, enabled: !search.deleted && memories !== undefined },
  ).data?.memories[0]
  if (latest === undefined) return false
  return search.sort === 'happened'
    ? !memories?.some(({ memory_id }) => memory_id === latest.memory_id)
    : (memories?.[0]?.memory_id ?? '') < latest.memory_id
}

type Pages = InfiniteData<MemoryList, string>

const editPages = (edit: (memories: Memory[]) => Memory[]): void => {
  queryClient.setQueriesData<Pages>(
    { queryKey: [KEY] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, memories: edit(page.memories) })),
      },
  )
}

/** Shows a changed memory in the lists that have it. */
export const replaceInLists = (changed: Memory): void =>
  editPages((memories) =>
    memories.some(({ memory_id }) => memory_id === changed.memory_id)
      ? memories.map((memory) => (memory.memory_id === changed.memory_id ? changed : memory))
      : memories,
  )

/** Removes memories from every list; the trash is loaded again when it is shown. */
export const removeFromLists = (ids: ReadonlySet<string>): void =>
  editPages((memories) => memories.filter(({ memory_id }) => !ids.has(memory_id)))

/** Loads the lists again from the first page. */
export const reloadLists = async (): Promise<void> => {
  await Promise.all([
    queryClient.resetQueries({ queryKey: [KEY] }),
    queryClient.invalidateQueries({ queryKey: [listMemories.name] }),
    queryClient.invalidateQueries({ queryKey: [memoryFacets.name] }),
  ])
}

/** Forgets the lists that are not shown, so that they are loaded when they are. */
export const dropHiddenLists = (): void => {
  queryClient.removeQueries({ queryKey: [KEY], type: 'inactive' })
}
