import { useNavigate } from '@tanstack/react-router'
import { startDirectThread } from '../../../shared/contract/dm.ts'
import { useAction } from '../../session/query.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

interface StartThreadDialogProps {
  isOpen: boolean
  onClose: () => void
}

export const StartThreadDialog = ({ isOpen, onClose }: StartThreadDialogProps) => {
  const navigate = useNavigate()
  const start = useAction(startDirectThread, {
    onSuccess: ({ thread_id }) =>
      void navigate({
        to: '/people/messages/$threadId',
        params: { threadId: thread_id },
        replace: true,
      }),
  })
  const close = () => {
    start.reset()
    onClose()
  }
  return (
    <Dialog title={texts.start} isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={(data) => start.mutate({ body: { username: String(data.get('username')) } })}
        error={start.error}
        fields={['username']}
      >
        <TextField
          name="username"
          label={texts.username}
          note={texts.usernameNote}
          isRequired
          maxLength={100}
          autoComplete="off"
          autoFocus
        />
        <DialogActions action={texts.startAction} isPending={start.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
