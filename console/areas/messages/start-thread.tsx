import { useNavigate } from '@tanstack/react-router'
import { startDirectThread } from '../../../shared/contract/dm.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look="primary" isPending={start.isPending}>
            {texts.startAction}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
