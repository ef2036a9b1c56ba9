import { useState } from 'react'
import { deleteAccount } from '../../../shared/contract/deletion.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { leaveEverywhere } from '../../session/token.ts'
import { settings } from '../../texts/settings.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

const texts = settings.data

interface DeleteAccountDialogProps {
  isOpen: boolean
  onClose: () => void
}

/**
 * Deletes after two confirmations: the typed address, and the password. The API reads the one that the
 * account has; the console does not know whether there is a password.
 */
export const DeleteAccountDialog = ({ isOpen, onClose }: DeleteAccountDialogProps) => {
  const user = useMe()
  const [mismatch, setMismatch] = useState<Error | null>(null)
  const remove = useAction(deleteAccount, { onSuccess: () => leaveEverywhere() })
  const close = () => {
    remove.reset()
    setMismatch(null)
    onClose()
  }
  const submit = (data: FormData) => {
    const confirm = String(data.get('confirm')).trim()
    const password = String(data.get('password'))
    const isConfirmed = confirm.toLowerCase() === user?.email.toLowerCase()
    setMismatch(isConfirmed ? null : new Error(texts.confirmMismatch))
    if (isConfirmed) remove.mutate({ body: { confirm, ...(password && { password }) } })
  }
  return (
    <Dialog title={texts.confirmTitle} isOpen={isOpen} onClose={close}>
      <Notice look="bad">{texts.deleteNote}</Notice>
      <Form onSubmit={submit} error={mismatch ?? remove.error} fields={['confirm', 'password']}>
        <TextField
          name="confirm"
          label={texts.confirmLabel}
          note={texts.confirmNote(user?.email ?? '')}
          isRequired
          autoComplete="off"
          autoFocus
        />
        <PasswordField
          name="password"
          label={texts.password}
          note={texts.passwordNote}
          autoComplete="current-password"
        />
        <DialogActions
          action={texts.confirm}
          isDanger
          isPending={remove.isPending || remove.isSuccess}
          onCancel={close}
        />
      </Form>
    </Dialog>
  )
}
