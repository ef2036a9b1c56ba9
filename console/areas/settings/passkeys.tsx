import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  startPasskeyRegistration,
} from '../../../shared/contract/passkeys.ts'
import { callApi } from '../../session/client.ts'
import { useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

const texts = settings.passkeys

export const PasskeysPage = () => {
  const passkeys = useApi(listPasskeys, {})
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const isSupported = browserSupportsWebAuthn()
  const add = isSupported && (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} intro={texts.intro} actions={passkeys.data?.length ? add : undefined}>
      {!isSupported && <Notice look="bad">{texts.notSupported}</Notice>}
      <Loaded query={passkeys}>
        {(list) =>
          list.length ? (
            <ul className="list">
              {list.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenaming(passkey)}
                  onRemove={() => setRemoving(passkey)}
                />
              ))}
            </ul>
          ) : (
            <EmptyState icon="key" title={texts.empty} actions={add}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <AddDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(undefined)} />
      <RemovePasskeyDialog passkey={removing} onClose={() => setRemoving(undefined)} />
    </Page>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

const PasskeyRow = ({ passkey, onRename, onRemove }: PasskeyRowProps) => {
  const { name, is_synced, created_at, last_used_at } = passkey
  return (
    <li className="setting">
      <div className="grow">
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {is_synced && <span className="badge">{texts.synced}</span>}
        <p className="quiet small">
          {texts.created} <Time iso={created_at} /> · {texts.lastUsed}{' '}
          {last_used_at ? <Time iso={last_used_at} /> : common.never}
        </p>
      </div>
      <Button aria-label={texts.renameNamed(name)} onPress={onRename}>
        {texts.rename}
      </Button>
      <Button look="danger" aria-label={texts.removeNamed(name)} onPress={onRemove}>
        {texts.remove}
      </Button>
    </li>
  )
}

/** Asks for a name, then has the browser create a passkey. */
const AddDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const queries = useQueryClient()
  const add = useMutation({
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
      <Form
        onSubmit={(data) => add.mutate(String(data.get('name')))}
        error={add.error}
        fields={['name']}
      >
        <TextField
          name="name"
          label={texts.name}
          note={texts.nameNote}
          isRequired
          maxLength={100}
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look="primary" isPending={add.isPending}>
            {texts.continue}
          </Button>
        </div>
      </Form>
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
