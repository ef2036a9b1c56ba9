import type { ReactNode } from 'react'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

interface NameDialogProps {
  title: string
  action: string
  label: string
  note?: string
  name?: string | undefined
  isOpen: boolean
  /** The change that the name starts. */
  change: { isPending: boolean; error: Error | null; reset: () => void }
  onSubmit: (name: string) => void
  onClose: () => void
  /** A text above the name. */
  children?: ReactNode
}

/** Asks for the name of something new, or for another one. */
export const NameDialog = ({ title, action, change, isOpen, ...props }: NameDialogProps) => {
  const close = () => {
    change.reset()
    props.onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      {props.children}
      <Form
        onSubmit={(data) => props.onSubmit(String(data.get('name')))}
        error={change.error}
        fields={['name']}
      >
        <TextField
          name="name"
          label={props.label}
          note={props.note}
          defaultValue={props.name ?? ''}
          isRequired
          maxLength={100}
          autoFocus
        />
        <DialogActions action={action} isPending={change.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
