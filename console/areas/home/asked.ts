import { useState } from 'react'
import { useMe } from '../../session/me.ts'

/** Recalls leave no trace on the server, so this browser notes that a question had an answer. */
const keyOf = (userId: string): string => `svc-asked-${userId}`

export const useAsked = (): readonly [boolean, () => void] => {
  const userId = useMe()?.id
  const [isAsked, setAsked] = useState(false)
  const wasAsked = userId !== undefined && localStorage.getItem(keyOf(userId)) !== null
  return [
    isAsked || wasAsked,
    () => {
      if (userId) localStorage.setItem(keyOf(userId), '')
      setAsked(true)
    },
  ]
}
