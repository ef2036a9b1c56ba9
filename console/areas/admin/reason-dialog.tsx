import type { ReactNode } from 'react'
import type { CallArgs } from '../../../shared/client.ts'
import type { Endpoint, ResponseOf } from '../../../shared/contract/endpoint.ts'
import { useAction } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const MAX_REASON = 500

interface ReasonDialogProps<E extends Endpoint> {
  row: E
  title: string
  note: string
  /** The text of the button. */
  label: string
  isDanger?: boolean
  isReasonRequired?: boolean
  /** The request with a reason; it may be empty unless it is required. */
  args: (reason: string) => CallArgs<E>
  onDone: (response: ResponseOf<E>) => void
  onClose: () => void
  /** Fields above the reason. */
  children?: ReactNode
}

/** Asks for the reason of a change. */
export const ReasonDialog = <E extends Endpoint>(props: ReasonDialogProps<E>) => {
  const { title, note, label, onClose, children } = props
  const change = useAction(props.row, { onSuccess: props.onDone })
  const { isDanger = false, isReasonRequired = false } = props
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{note}</p>
      <Form
        onSubmit={(data) => change.mutate(props.args(String(data.get('reason')).trim()))}
        error={change.error}
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
        <DialogActions
          action={label}
          isDanger={isDanger}
          isPending={change.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
