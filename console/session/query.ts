import { queryOptions, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallArgs } from '../../shared/client.ts'
import type { Endpoint, ResponseOf } from '../../shared/contract/endpoint.ts'
import { useMutationOnce } from './action.ts'
import { callApi } from './client.ts'
import { usePollMs } from './live-state.ts'
import { type Polled, pollInterval } from './poll.ts'
import { queryClient } from './query-client.ts'

type Named = Pick<Endpoint, 'name'>

/** The query of an endpoint. Its key begins with the name of the endpoint, which invalidates it. */
export const apiQuery = <E extends Endpoint>(row: E, args: Omit<CallArgs<E>, 'signal'>) =>
  queryOptions({
    queryKey: [row.name, args],
    queryFn: ({ signal }): Promise<ResponseOf<E>> => callApi(row, { ...args, signal }),
  })

/** Requests a response before a screen that shows it is drawn. A screen reports failures itself. */
export const prefetch = <E extends Endpoint>(row: E, args: Omit<CallArgs<E>, 'signal'>): void =>
  void queryClient.prefetchQuery(apiQuery(row, args))

/** Removes a response from the cache: what it shows was deleted. */
export const forget = <E extends Endpoint>(row: E, args: Omit<CallArgs<E>, 'signal'>): void =>
  queryClient.removeQueries({ queryKey: [row.name, args] })

export interface PollOptions {
  enabled?: boolean
  /** Requests it again after this time. */
  pollMs?: number | undefined
}

/** The response of an endpoint, cached and kept current. */
export const useApi = <E extends Endpoint>(
  row: E,
  args: Omit<CallArgs<E>, 'signal'>,
  { pollMs, ...options }: PollOptions = {},
) => {
  const intervalMs = usePollMs(row, pollMs)
  return useQuery({
    ...apiQuery(row, args),
    ...options,
    refetchInterval: (query: Polled) => pollInterval(query, intervalMs),
  })
}

/**
 * Whether the first responses for a screen have come or failed, but for those of `late` endpoints: what
 * appears at once does not move. It stays true.
 */
export const useFirstLoad = (late: readonly Named[] = []): boolean => {
  const isFirst = (query: { queryKey: readonly unknown[]; state: { status: string } }) =>
    query.state.status === 'pending' && !late.some(({ name }) => name === query.queryKey[0])
  const pending = useIsFetching({ predicate: isFirst })
  const [isDone, setDone] = useState(false)
  // The effects of the components below, which request, ran before this one.
  useEffect(() => {
    if (pending === 0 && queryClient.isFetching({ predicate: isFirst }) === 0) setDone(true)
  })
  return isDone
}

interface ActionOptions<E extends Endpoint> {
  onSuccess?: (response: ResponseOf<E>, args: CallArgs<E>) => void
  onError?: (error: Error, args: CallArgs<E>) => void
}

/**
 * A call that changes something. The responses that it affects by its contract are then requested again.
 * Callbacks are options here and not of the call: TanStack Query drops those of a call when its
 * component is gone, such as the row of a list that the change removes.
 */
export const useAction = <E extends Endpoint>(
  row: E,
  { onSuccess, onError }: ActionOptions<E> = {},
) => {
  const queries = useQueryClient()
  return useMutationOnce({
    mutationFn: (args: CallArgs<E>) => callApi(row, args),
    ...(onError && { onError }),
    onSuccess: async (response, args) => {
      onSuccess?.(response, args)
      await Promise.all(row.affects.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
  })
}
