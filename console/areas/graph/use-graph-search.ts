import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { GraphSearch } from './search.ts'

/** The search parameters of the graph, and a function that changes some of them. */
export const useGraphSearch = () => {
  const search = useSearch({ from: '/graph' })
  const navigate = useNavigate({ from: '/graph' })
  const change = useCallback(
    (changes: { [K in keyof GraphSearch]?: GraphSearch[K] | undefined }) =>
      void navigate({
        to: '/graph',
        search: { ...search, ...changes } as GraphSearch,
        replace: !('memory' in changes || 'view' in changes),
        resetScroll: false,
      }),
    [navigate, search],
  )
  return { search, change }
}
