import { type RefObject, useEffect } from 'react'

/** A closing dialog returns the focus within two frames; recovery must not be earlier. */
const SETTLE_MS = 60

/**
 * Moves the focus to `target` when the focused element was removed from the page, for example with its
 * row: otherwise the keyboard would start again at the top of the document.
 */
export const useFocusRecovery = (target: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    let last: Element | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const isLost = () => last?.isConnected === false && document.activeElement === document.body
    const recover = () => {
      if (isLost()) target.current?.focus({ preventScroll: true })
    }
    const remember = (event: FocusEvent) => {
      if (event.target instanceof Element) last = event.target
    }
    const observer = new MutationObserver(() => {
      if (!isLost()) return
      clearTimeout(timer)
      timer = setTimeout(recover, SETTLE_MS)
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [target])
}
