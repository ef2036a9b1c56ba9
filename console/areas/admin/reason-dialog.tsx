import type { ReactNode } from 'react'
import { admin } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const MAX_REASON = 500

interface ReasonDialogProps {
  title: string
  note: string
  /** The text of the button. */
  label: string
  isDanger?: boolean
  isReasonRequired?: boolean
  isPending: boolean
  error: Error | null
  onSubmit: (reason: string) => void
  onClose: () => void
  /** Fields above the reason. */
  children?: ReactNode
}

/** Asks for the reason of a change. */
export const ReasonDialog = (props: ReasonDialogProps) => {
  const { title, note, label, isPending, error, onSubmit, onClose, children } = props
  const { isDanger = false, isReasonRequired = false } = props
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{note}</p>
      <Form
        onSubmit={(data) => onSubmit(String(data.get('reason')).trim())}
        error={error}
        fields={['reason']}
      >
        {children}
        <TextField
          name="reason"
          label={isReasonRequired ? admin.reason : `${admin.reason} (${common.optional})`}
          note={admin.reasonNote}
          isRequired={isReasonRequired}
          maxLength={MAX_REASON}
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            type="submit"
            look={isDanger ? 'danger primary' : 'primary'}
            isPending={isPending}
          >
            {label}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
