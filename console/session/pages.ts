import { useInfiniteQuery } from '@tanstack/react-query'
import type { CallArgs } from '../../shared/client.ts'
import type { Endpoint, ResponseOf } from '../../shared/contract/endpoint.ts'
import { callApi } from './client.ts'

/**
 * A list with cursors. `args` builds the arguments of a page from its cursor, `next` reads the next
 * cursor from a response.
 */
export const useApiPages = <E extends Endpoint>(
  row: E,
  key: unknown,
  args: (cursor: string | undefined) => Omit<CallArgs<E>, 'signal'>,
  next: (page: ResponseOf<E>) => string | null | undefined,
  options: { enabled?: boolean; refetchInterval?: number } = {},
) =>
  useInfiniteQuery({
    queryKey: [row.name, 'pages', key],
    queryFn: ({ pageParam, signal }): Promise<ResponseOf<E>> =>
      callApi(row, { ...args(pageParam), signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => next(page) ?? undefined,
    ...options,
  })
