import { useEffect, useSyncExternalStore } from 'react'
import { AREAS } from './areas.ts'

/** A preference of this browser: letters as shortcuts disturb speech input (WCAG 2.2, criterion 2.1.4). */
const STORAGE_KEY = 'svc-single-keys'
const OFF = 'off'
const listeners = new Set<() => void>()

const hasSingleKeys = (): boolean => localStorage.getItem(STORAGE_KEY) !== OFF

export const setSingleKeys = (isOn: boolean): void => {
  if (isOn) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, OFF)
  for (const notify of listeners) notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, hasSingleKeys)

/** After `g`, a letter within this time names a screen. */
const CHORD_MS = 1_500

/** Where letters are text, or choose within an open list. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], [role=alertdialog]'

export interface ShortcutActions {
  openPalette: () => void
  openSheet: () => void
  goTo: (to: string) => void
  newChat: () => void
  remember: () => void
}

/** The area behind `g` and a letter. */
const placeOf = (key: string): string | undefined => AREAS.find((area) => area.key === key)?.to

/** The search field of a screen, or the palette where a screen has none. */
const findOnScreen = (openPalette: () => void): void => {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.focus()
  else openPalette()
}

/** Runs the shortcuts of the console. `actions` must stay the same. */
export const useShortcuts = (actions: ShortcutActions): void => {
  useEffect(() => {
    let chordUntil = 0
    const runLetter = (key: string): boolean => {
      const place = performance.now() < chordUntil ? placeOf(key) : undefined
      chordUntil = 0
      if (place) actions.goTo(place)
      else if (key === 'g') chordUntil = performance.now() + CHORD_MS
      else if (key === '/') findOnScreen(actions.openPalette)
      else if (key === '?') actions.openSheet()
      else if (key === 'c') actions.newChat()
      else if (key === 'n') actions.remember()
      else return false
      return true
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (event.defaultPrevented || event.isComposing) return
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault()
        actions.openPalette()
        return
      }
      if (ctrlKey || metaKey || altKey || !hasSingleKeys()) return
      if (target instanceof Element && target.closest(TAKES_LETTERS)) return
      if (runLetter(key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [actions])
}
