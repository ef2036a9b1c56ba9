import { useCallback, useSyncExternalStore } from 'react'

/** A phone, as in the styles. */
export const NARROW = '(max-width: 40rem)'

/** Whether a media query matches, also after the window was resized or turned. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
