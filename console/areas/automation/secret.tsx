import { reflexes as texts } from '../../texts/reflexes.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

interface SecretDialogProps {
  /** The dialog is open while there is one. */
  secret: string | undefined
  onClose: () => void
}

/** Shows a webhook secret once: the server keeps no readable copy. */
export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <Dialog title={texts.secret} isOpen={secret !== undefined} onClose={onClose}>
    <Notice look="warn">{texts.secretNote}</Notice>
    <CopyBlock text={secret ?? ''} label={texts.copySecret} />
    <div className="dialog-actions">
      <Button look="primary" onPress={onClose}>
        {texts.done}
      </Button>
    </div>
  </Dialog>
)
