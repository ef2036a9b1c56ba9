import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './notice.tsx'

interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  isWide?: boolean
  /** `alertdialog` for a question that interrupts. */
  role?: 'dialog' | 'alertdialog'
  children: ReactNode
}

/** A modal dialog. Escape and a click beside it close it; focus returns to the control that opened it. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  isWide,
  role = 'dialog',
  children,
}: DialogProps) => (
  <ModalOverlay
    className="modal-overlay"
    isOpen={isOpen}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
    isDismissable={role === 'dialog'}
  >
    <Modal className={isWide ? 'modal wide' : 'modal'}>
      <AriaDialog className="dialog" role={role}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)

interface DialogActionsProps {
  /** The verb of the action. */
  action: string
  onCancel: () => void
  isPending?: boolean
  isDisabled?: boolean
  isDanger?: boolean
}

/** The buttons of a form in a dialog. */
export const DialogActions = ({ action, onCancel, isDanger, ...submit }: DialogActionsProps) => (
  <div className="dialog-actions">
    <Button onPress={onCancel}>{common.cancel}</Button>
    <Button type="submit" look={isDanger ? 'danger primary' : 'primary'} {...submit}>
      {action}
    </Button>
  </div>
)

interface ConfirmDialogProps {
  title: string
  /** The consequences, and whether they can be undone. */
  children: ReactNode
  /** The verb of the action. */
  action: string
  isOpen: boolean
  isPending: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that deletes. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog title={props.title} role="alertdialog" isOpen={props.isOpen} onClose={props.onClose}>
    <div>{props.children}</div>
    {props.error && <ErrorNotice error={props.error} />}
    <div className="dialog-actions">
      <Button onPress={props.onClose} autoFocus>
        {common.cancel}
      </Button>
      <Button look="danger primary" isPending={props.isPending} onPress={props.onConfirm}>
        {props.action}
      </Button>
    </div>
  </Dialog>
)
