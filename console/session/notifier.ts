/** Whether this browser shows notifications of the desktop, and whether this tab is the one that does. */
import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'svc-notifications'
/** Held by one tab of the browser, so that an event is notified once. */
const LOCK = 'svc-notifications'

/** `blocked`: by the person, in the settings of the browser. `unsupported`: without HTTPS, or in this browser. */
export type NotifierState = 'on' | 'off' | 'blocked' | 'unsupported'

const listeners = new Set<() => void>()
let isThisTab = false

const current = (): NotifierState => {
  if (!('Notification' in window) || !('locks' in navigator)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && localStorage.getItem(STORAGE_KEY) ? 'on' : 'off'
}

const changed = (): void => {
  for (const listener of listeners) listener()
}

/** Asks the person for permission when it is turned on. */
export const setNotifier = async (isOn: boolean): Promise<void> => {
  if (!isOn) localStorage.removeItem(STORAGE_KEY)
  else if ((await Notification.requestPermission()) === 'granted')
    localStorage.setItem(STORAGE_KEY, 'on')
  changed()
}

/** Calls a listener when the setting changes, or this tab becomes the one that notifies. */
export const onNotifierChange = (listener: () => void) => {
  listeners.add(listener)
  // Another tab has changed it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useNotifier = (): NotifierState => useSyncExternalStore(onNotifierChange, current)

/** Whether this tab notifies, and so follows events also while it is hidden. */
export const isNotifier = (): boolean => isThisTab

/** Makes this tab the one that notifies as soon as no other does, until the signal. */
export const becomeNotifier = (signal: AbortSignal): void => {
  const hold = async () => {
    isThisTab = true
    changed()
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    isThisTab = false
  }
  navigator.locks.request(LOCK, { signal }, hold).catch(() => {})
}
