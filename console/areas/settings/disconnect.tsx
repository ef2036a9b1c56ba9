import { Link } from '@tanstack/react-router'
import { ApiFailure } from '../../../shared/client.ts'
import { disconnectOAuth } from '../../../shared/contract/oauth-sign-in.ts'
import { useAction } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import type { Provider } from './connections.tsx'

const texts = settings.connections

interface DisconnectDialogProps {
  /** Closed if left out. */
  provider: Provider | undefined
  onClose: () => void
}

export const DisconnectDialog = ({ provider, onClose }: DisconnectDialogProps) => {
  const label = provider?.label ?? ''
  const disconnect = useAction(disconnectOAuth, {
    onSuccess: () => {
      notify(texts.disconnected(label))
      onClose()
    },
  })
  const close = () => {
    disconnect.reset()
    onClose()
  }
  const { error } = disconnect
  const isOnlyWay = error instanceof ApiFailure && error.status === 400
  return (
    <ConfirmDialog
      title={texts.disconnectTitle(label)}
      action={texts.disconnect}
      isOpen={provider !== undefined}
      isPending={disconnect.isPending}
      error={error}
      onConfirm={() => provider && disconnect.mutate({ params: { provider: provider.name } })}
      onClose={close}
    >
      <p>{texts.disconnectNote(label)}</p>
      {isOnlyWay && (
        <p>
          <Link to="/settings/password">{texts.setPassword}</Link>
        </p>
      )}
    </ConfirmDialog>
  )
}
