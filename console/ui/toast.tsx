import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { common } from '../texts/common.ts'
import { Button, IconButton } from './button.tsx'
import { describeError } from './notice.tsx'

interface ToastMessage {
  text: string
  isError?: boolean
  /** A button in the toast, such as undo. */
  action?: { label: string; run: () => void }
}

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** At least five seconds, so that the text can be read (react-aria). */
const TIMEOUT_MS = 6000
const TIMEOUT_WITH_ACTION_MS = 12_000

/**
 * Reports what was done, in a corner; with an action, there is more time to use it.
 * @param onClose called when the toast is gone, after its action if that was chosen.
 * @returns closes the toast.
 */
export const notify = (
  text: string,
  action?: ToastMessage['action'],
  onClose?: () => void,
): (() => void) => {
  const key = queue.add(
    { text, ...(action && { action }) },
    { timeout: action ? TIMEOUT_WITH_ACTION_MS : TIMEOUT_MS, ...(onClose && { onClose }) },
  )
  return () => queue.close(key)
}

/** Reports an error that has no place on the page. It stays until it is closed. */
export const notifyError = (error: Error): void => {
  queue.add({ text: describeError(error), isError: true })
}

export const Toasts = () => (
  <ToastRegion queue={queue} className="toasts">
    {({ toast }) => (
      <AriaToast toast={toast} className={toast.content.isError ? 'toast bad' : 'toast'}>
        <ToastContent>
          <Text slot="title">{toast.content.text}</Text>
        </ToastContent>
        {toast.content.action && (
          <Button
            isSmall
            onPress={() => {
              toast.content.action?.run()
              queue.close(toast.key)
            }}
          >
            {toast.content.action.label}
          </Button>
        )}
        <IconButton icon="close" label={common.dismiss} isSmall slot="close" />
      </AriaToast>
    )}
  </ToastRegion>
)
