import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const texts = settings.secondFactor

interface CodeDialogProps {
  title: string
  note: string
  /** The text of the button; the title if left out. */
  label?: string
  look?: 'primary' | 'danger primary'
  isOpen: boolean
  onClose: () => void
  /** The call that needs a code. */
  action: {
    mutate: (args: { body: { code: string } }) => void
    reset: () => void
    error: Error | null
    isPending: boolean
  }
}

/** Asks for a code of the second factor. */
export const CodeDialog = (props: CodeDialogProps) => {
  const { title, note, label = title, look = 'primary', isOpen, onClose, action } = props
  const close = () => {
    action.reset()
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <p>{note}</p>
      <Form
        onSubmit={(data) => action.mutate({ body: { code: String(data.get('code')) } })}
        error={action.error}
        fields={['code']}
      >
        <TextField
          name="code"
          label={texts.code}
          note={texts.anyCodeNote}
          isRequired
          maxLength={64}
          autoComplete="one-time-code"
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look={look} isPending={action.isPending}>
            {label}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
