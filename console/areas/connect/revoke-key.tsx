import { type ApiKey, revokeKey } from '../../../shared/contract/keys.ts'
import { connect } from '../../texts/connect.ts'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'

const texts = connect.keys

interface RevokeKeyDialogProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

export const RevokeKeyDialog = ({ apiKey, onClose }: RevokeKeyDialogProps) => (
  <RemovalDialog
    row={revokeKey}
    entry={apiKey && { name: apiKey.name, args: { params: { key_id: apiKey.id } } }}
    texts={{
      title: texts.revokeTitle,
      note: texts.revokeNote,
      action: texts.revoke,
      done: texts.revoked,
    }}
    onClose={onClose}
  />
)
