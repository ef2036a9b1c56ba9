import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  renamePasskey,
  startPasskeyRegistration,
} from '../../../shared/contract/passkeys.ts'
import { useMutationOnce } from '../../session/action.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.passkeys

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
      onClose()
      notify(texts.added(name))
      await queries.invalidateQueries({ queryKey: [listPasskeys.name] })
    },
  })
  return (
    <NameDialog
      title={texts.addTitle}
      action={texts.continue}
      label={texts.name}
      note={texts.nameNote}
      isOpen={isOpen}
      change={add}
      onSubmit={(name) => add.mutate(name)}
      onClose={onClose}
    >
      <p>{texts.addNote}</p>
    </NameDialog>
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
  const rename = useAction(renamePasskey, { onSuccess: onClose })
  return (
    <NameDialog
      title={texts.renameTitle(passkey?.name ?? '')}
      action={texts.rename}
      label={texts.name}
      name={passkey?.name}
      isOpen={passkey !== undefined}
      change={rename}
      onSubmit={(name) =>
        passkey && rename.mutate({ params: { passkey_id: passkey.id }, body: { name } })
      }
      onClose={onClose}
    />
  )
}
