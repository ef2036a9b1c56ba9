import { useState } from 'react'
import {
  type CreatedClient,
  createManagedClient,
  deleteManagedClient,
  type ManagedClient,
  rotateClientSecret,
  updateManagedClient,
} from '../../../shared/contract/oauth-clients.ts'
import { useAction } from '../../session/query.ts'
import { apps as texts } from '../../texts/apps.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { AppForm } from './app-form.tsx'

/** The id and the secret stay in the state of a dialog, which is there while it is open. */
const Credentials = ({
  client_id,
  client_secret,
  onClose,
}: Pick<CreatedClient, 'client_id' | 'client_secret'> & { onClose: () => void }) => (
  <>
    {client_secret === undefined ? (
      <Notice>{texts.publicNote}</Notice>
    ) : (
      <Notice look="warn">{texts.secretNote}</Notice>
    )}
    <p className="label">{texts.id}</p>
    <CopyBlock text={client_id} label={texts.copyId} />
    {client_secret !== undefined && (
      <>
        <p className="label">{texts.secret}</p>
        <CopyBlock text={client_secret} label={texts.copySecret} />
      </>
    )}
    <div className="dialog-actions">
      <Button look="primary" onPress={onClose} autoFocus>
        {texts.done}
      </Button>
    </div>
  </>
)

export const CreateAppDialog = ({ onClose }: { onClose: () => void }) => {
  const [created, setCreated] = useState<CreatedClient>()
  const create = useAction(createManagedClient, { onSuccess: setCreated })
  return (
    <Dialog title={created ? texts.created(created.name) : texts.create} isOpen onClose={onClose}>
      {created ? (
        <Credentials {...created} onClose={onClose} />
      ) : (
        <AppForm change={create} onSubmit={(body) => create.mutate({ body })} onCancel={onClose} />
      )}
    </Dialog>
  )
}

interface AppDialogProps {
  app: ManagedClient
  onClose: () => void
}

export const EditAppDialog = ({ app, onClose }: AppDialogProps) => {
  const update = useAction(updateManagedClient, {
    onSuccess: ({ name }) => {
      notify(texts.changed(name))
      onClose()
    },
  })
  return (
    <Dialog title={texts.editTitle(app.name)} isOpen onClose={onClose}>
      <AppForm
        app={app}
        change={update}
        onSubmit={({ confidential: _, ...body }) =>
          update.mutate({ params: { client_id: app.client_id }, body })
        }
        onCancel={onClose}
      />
    </Dialog>
  )
}

export const RotateAppDialog = ({ app, onClose }: AppDialogProps) => {
  const [secret, setSecret] = useState<string>()
  const rotate = useAction(rotateClientSecret, {
    onSuccess: ({ client_secret }) => setSecret(client_secret),
  })
  if (secret)
    return (
      <Dialog title={texts.rotated(app.name)} isOpen onClose={onClose}>
        <Credentials client_id={app.client_id} client_secret={secret} onClose={onClose} />
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={texts.rotateTitle(app.name)}
      action={texts.rotate}
      isOpen
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ params: { client_id: app.client_id } })}
      onClose={onClose}
    >
      {texts.rotateNote}
    </ConfirmDialog>
  )
}

export const DeleteAppDialog = ({ app, onClose }: AppDialogProps) => (
  <RemovalDialog
    row={deleteManagedClient}
    entry={{ name: app.name, args: { params: { client_id: app.client_id } } }}
    texts={{
      title: texts.deleteTitle,
      note: texts.deleteNote,
      action: texts.delete,
      done: texts.deleted,
    }}
    onClose={onClose}
  />
)
