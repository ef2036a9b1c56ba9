import { Button } from './button.tsx'
import { CopyBlock } from './copy.tsx'
import { Notice } from './notice.tsx'

interface SecretViewProps {
  secret: string
  texts: { note: string; copy: string; done: string }
  onClose: () => void
}

/** The content of a dialog with a secret that is shown once. */
export const SecretView = ({ secret, texts, onClose }: SecretViewProps) => (
  <>
    <Notice look="warn">{texts.note}</Notice>
    <CopyBlock text={secret} label={texts.copy} />
    <div className="dialog-actions">
      <Button look="primary" onPress={onClose} autoFocus>
        {texts.done}
      </Button>
    </div>
  </>
)
