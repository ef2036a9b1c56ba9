import { useRef } from 'react'
import { useToast, useToastRegion } from 'react-aria'
import { createPortal } from 'react-dom'
import { type QueuedToast, ToastQueue, type ToastState, useToastQueue } from 'react-stately'
import { common } from '../texts/common.ts'
import { Button, IconButton } from './button.tsx'
import { describeError } from './describe-error.ts'

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

export const Toasts = () => {
  const state = useToastQueue(queue)
  return state.visibleToasts.length > 0
    ? createPortal(<ToastRegion state={state} />, document.body)
    : null
}

/** A landmark, which F6 reaches. */
const ToastRegion = ({ state }: { state: ToastState<ToastMessage> }) => {
  const ref = useRef<HTMLDivElement>(null)
  const { regionProps } = useToastRegion({}, state, ref)
  return (
    <div {...regionProps} ref={ref} className="toasts">
      {state.visibleToasts.map((toast) => (
        <Toast key={toast.key} toast={toast} state={state} />
      ))}
    </div>
  )
}

interface ToastProps {
  toast: QueuedToast<ToastMessage>
  state: ToastState<ToastMessage>
}

const Toast = ({ toast, state }: ToastProps) => {
  const ref = useRef<HTMLDivElement>(null)
  const { toastProps, contentProps, titleProps, closeButtonProps } = useToast({ toast }, state, ref)
  const { text, isError, action } = toast.content
  const act = () => {
    action?.run()
    queue.close(toast.key)
  }
  return (
    <div {...toastProps} ref={ref} className={isError ? 'toast bad' : 'toast'}>
      <div {...contentProps}>
        <span {...titleProps}>{text}</span>
      </div>
      {action && (
        <Button isSmall onPress={act}>
          {action.label}
        </Button>
      )}
      <IconButton
        {...closeButtonProps}
        icon="close"
        label={common.dismiss}
        isSmall
        onPress={() => queue.close(toast.key)}
      />
    </div>
  )
}
