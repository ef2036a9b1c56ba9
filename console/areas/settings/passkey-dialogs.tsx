import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
  startPasskeyRegistration,
} from '../../../shared/contract/passkeys.ts'
import { useMutationOnce } from '../../session/action.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.passkeys

interface NameFormProps {
  action: string
  name?: string | undefined
  note?: string
  /** The change that the form starts. */
  change: { error: Error | null; isPending: boolean }
  onName: (name: string) => void
  onCancel: () => void
}

const NameForm = ({ action, name = '', note, change, onName, onCancel }: NameFormProps) => (
  <Form
    onSubmit={(data) => onName(String(data.get('name')))}
    error={change.error}
    fields={['name']}
  >
    <TextField
      name="name"
      label={texts.name}
      note={note}
      defaultValue={name}
      isRequired
      maxLength={100}
      autoFocus
    />
    <div className="dialog-actions">
      <Button onPress={onCancel}>{common.cancel}</Button>
      <Button type="submit" look="primary" isPending={change.isPending}>
        {action}
      </Button>
    </div>
  </Form>
)

/** Asks for a name, then has the browser create a passkey. */
export const AddPasskeyDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const queries = useQueryClient()
  const add = useMutationOnce({
    mutationFn: async (name: string) => {
      const { options } = await callApi(startPasskeyRegistration, {})
      const response = await createPasskey(options)
      return callApi(addPasskey, { body: { name, response } })
    },
    onSuccess: async ({ name }) => {
      close()
      notify(texts.added(name))
      await queries.invalidateQueries({ queryKey: [listPasskeys.name] })
    },
  })
  const close = () => {
    add.reset()
    onClose()
  }
  return (
    <Dialog title={texts.addTitle} isOpen={isOpen} onClose={close}>
      <p>{texts.addNote}</p>
      <NameForm
        action={texts.continue}
        note={texts.nameNote}
        change={add}
        onName={(name) => add.mutate(name)}
        onCancel={close}
      />
    </Dialog>
  )
}

/** @throws Error with a text for the user when the browser created none. */
const createPasskey = async (options: Record<string, unknown>) => {
  // The server creates the options in the format of the browser.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  try {
    return await startRegistration({ optionsJSON })
  } catch (cause) {
    const isRegistered = cause instanceof Error && cause.name === 'InvalidStateError'
    throw new Error(isRegistered ? texts.exists : texts.notCreated, { cause })
  }
}

interface PasskeyDialogProps {
  /** Closed if left out. */
  passkey: Passkey | undefined
  onClose: () => void
}

export const RenamePasskeyDialog = ({ passkey, onClose }: PasskeyDialogProps) => {
  const rename = useAction(renamePasskey, {
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
      <NameForm
        action={texts.rename}
        name={passkey?.name}
        change={rename}
        onName={(name) =>
          passkey && rename.mutate({ params: { passkey_id: passkey.id }, body: { name } })
        }
        onCancel={close}
      />
    </Dialog>
  )
}

export const RemovePasskeyDialog = ({ passkey, onClose }: PasskeyDialogProps) => {
  const remove = useAction(removePasskey, {
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
