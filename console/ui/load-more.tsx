import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'

interface LoadMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label?: string
}

/** The button below a list with further pages. */
export const LoadMore = ({ query, label = common.more }: LoadMoreProps) =>
  query.hasNextPage && (
    <div className="row">
      <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
