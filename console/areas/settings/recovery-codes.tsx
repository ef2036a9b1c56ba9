import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { saveFile } from '../../ui/save-file.ts'

const texts = settings.secondFactor

interface RecoveryCodesDialogProps {
  /** Closed if left out. */
  codes: readonly string[] | undefined
  onClose: () => void
}

/** A click beside it does not close it: the codes cannot be shown again. */
export const RecoveryCodesDialog = ({ codes, onClose }: RecoveryCodesDialogProps) => {
  const text = `${codes?.join('\n')}\n`
  return (
    <Dialog
      title={texts.codesTitle}
      role="alertdialog"
      isOpen={codes !== undefined}
      onClose={onClose}
    >
      <Notice look="warn">{texts.codesNote}</Notice>
      <ul className="plain recovery-codes">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={text} label={texts.copyCodes} />
        <Button
          icon="download"
          onPress={() => saveFile(texts.fileName, new Blob([text], { type: 'text/plain' }))}
        >
          {common.download}
        </Button>
        <Button look="primary" onPress={onClose}>
          {texts.kept}
        </Button>
      </div>
    </Dialog>
  )
}
