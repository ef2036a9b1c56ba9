import { useEffect, useRef } from 'react'
import { queryClient } from '../session/query-client.ts'
import { useReachability } from '../session/reachability.ts'
import { shell } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime } from '../ui/time.tsx'

const reload = (): void => void queryClient.refetchQueries({ type: 'active' })

/** Above each screen while the server does not answer: what is shown may be old. */
export const UnreachableNotice = () => {
  const { isReachable, answeredAt } = useReachability()
  const wasReachable = useRef(true)
  useEffect(() => {
    if (isReachable && !wasReachable.current) reload()
    wasReachable.current = isReachable
  }, [isReachable])
  return (
    <div role="status">
      {!isReachable && (
        <div className="notice warn unreachable">
          <p>
            {answeredAt
              ? shell.unreachableSince(formatDateTime(answeredAt.toISOString()))
              : shell.unreachable}
          </p>
          <Button isSmall onPress={reload}>
            {shell.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
