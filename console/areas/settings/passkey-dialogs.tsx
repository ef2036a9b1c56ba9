import {
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../../shared/contract/passkeys.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.passkeys

interface PasskeyDialogProps {
  /** Closed if left out. */
  passkey: Passkey | undefined
  onClose: () => void
}

export const RenamePasskeyDialog = ({ passkey, onClose }: PasskeyDialogProps) => {
  const rename = useAction(renamePasskey, {
    invalidates: [listPasskeys],
    onSuccess: () => close(),
  })
  const close = () => {
    rename.reset()
    onClose()
  }
  return (
    <Dialog
      title={texts.renameTitle(passkey?.name ?? '')}
      isOpen={passkey !== undefined}
      onClose={close}
    >
      <Form
        onSubmit={(data) =>
          passkey &&
          rename.mutate({
            params: { passkey_id: passkey.id },
            body: { name: String(data.get('name')) },
          })
        }
        error={rename.error}
        fields={['name']}
      >
        <TextField
          name="name"
          label={texts.name}
          defaultValue={passkey?.name ?? ''}
          isRequired
          maxLength={100}
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look="primary" isPending={rename.isPending}>
            {texts.rename}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

export const RemovePasskeyDialog = ({ passkey, onClose }: PasskeyDialogProps) => {
  const remove = useAction(removePasskey, {
    invalidates: [listPasskeys],
    onSuccess: () => {
      if (passkey) notify(texts.removed(passkey.name))
      close()
    },
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.removeTitle(passkey?.name ?? '')}
      action={texts.remove}
      isOpen={passkey !== undefined}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => passkey && remove.mutate({ params: { passkey_id: passkey.id } })}
      onClose={close}
    >
      {texts.removeNote}
    </ConfirmDialog>
  )
}
