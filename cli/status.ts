import { oneLine } from './output.ts'
import type { OutputStream } from './runtime.ts'

export interface Status {
  /** Shows progress on a terminal, replacing the previous status. */
  showProgress(text: string): void
  /** Shows a spinner on a terminal until the next output. */
  spin(text: string): void
  /** Clears the status that `showProgress` or `spin` shows. */
  clear(): void
  /** Whether a status is shown. */
  readonly isShowing: boolean
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/**
 * A line on stderr that is replaced by the next output.
 * @param animated whether the spinner moves.
 * @param isEnabled whether a status is shown at all.
 */
export const createStatus = (
  stderr: () => OutputStream,
  animated: boolean,
  isEnabled: () => boolean,
): Status => {
  let isShowing = false
  let timer: ReturnType<typeof setInterval> | undefined
  const clear = () => {
    clearInterval(timer)
    if (isShowing) stderr().write('\r\x1b[K')
    isShowing = false
  }
  const show = (text: string) => {
    stderr().write(`\r\x1b[K${oneLine(text)}`)
    isShowing = true
  }
  return {
    showProgress(text) {
      if (!isEnabled()) return
      clear()
      show(text)
    },
    spin(text) {
      if (!isEnabled()) return
      clear()
      let frame = 0
      show(text)
      if (!animated) return
      timer = setInterval(() => show(`${FRAMES[frame++ % FRAMES.length]} ${text}`), FRAME_MS)
      timer.unref()
    },
    clear,
    get isShowing() {
      return isShowing
    },
  }
}
