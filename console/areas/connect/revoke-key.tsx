import { type ApiKey, revokeKey } from '../../../shared/contract/keys.ts'
import { useAction } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = connect.keys

interface RevokeKeyDialogProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

export const RevokeKeyDialog = ({ apiKey, onClose }: RevokeKeyDialogProps) => {
  const close = () => {
    onClose()
    revoke.reset()
  }
  const revoke = useAction(revokeKey, {
    onSuccess: () => {
      if (apiKey) notify(texts.revoked(apiKey.name))
      close()
    },
  })
  return (
    <ConfirmDialog
      title={texts.revokeTitle(apiKey?.name ?? '')}
      action={texts.revoke}
      isOpen={apiKey !== undefined}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => apiKey && revoke.mutate({ params: { key_id: apiKey.id } })}
      onClose={close}
    >
      {texts.revokeNote}
    </ConfirmDialog>
  )
}
