import { useSyncExternalStore } from 'react'

/** The palette and the sheet of shortcuts: at most one is open. */
type Open = 'palette' | 'sheet' | undefined

let open: Open
const listeners = new Set<() => void>()

const show = (next: Open): void => {
  open = next
  for (const notify of listeners) notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const close = (): void => show(undefined)
export const openPalette = (): void => show('palette')
export const openSheet = (): void => show('sheet')
export const useOpenPalette = (): Open => useSyncExternalStore(subscribe, () => open)
