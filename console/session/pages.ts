import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { CallArgs } from '../../shared/client.ts'
import type { Endpoint, ResponseOf } from '../../shared/contract/endpoint.ts'
import { callApi } from './client.ts'
import { usePollMs } from './live-state.ts'
import { type Polled, pollInterval } from './poll.ts'
import type { PollOptions } from './query.ts'

interface PolledPages extends Polled {
  state: Polled['state'] & { data: { pages: readonly unknown[] } | undefined }
}

const pageCount = ({ state }: PolledPages): number => state.data?.pages.length ?? 1

/**
 * A list with cursors. `args` builds the arguments of a page from its cursor, `next` reads the next
 * cursor from a response. All loaded pages are requested again, so more pages are polled less often.
 */
export const useApiPages = <E extends Endpoint>(
  row: E,
  key: unknown,
  args: (cursor: string | undefined) => Omit<CallArgs<E>, 'signal'>,
  next: (page: ResponseOf<E>) => string | null | undefined,
  { pollMs, ...options }: PollOptions = {},
) => {
  const intervalMs = usePollMs(row, pollMs)
  return useInfiniteQuery<
    ResponseOf<E>,
    Error,
    InfiniteData<ResponseOf<E>>,
    QueryKey,
    string | undefined
  >({
    queryKey: [row.name, 'pages', key],
    queryFn: ({ pageParam, signal }): Promise<ResponseOf<E>> =>
      callApi(row, { ...args(pageParam), signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => next(page) ?? undefined,
    ...options,
    refetchInterval: (query: PolledPages) =>
      pollInterval(query, intervalMs && intervalMs * pageCount(query)),
  })
}
