import { useEffect } from 'react'
import { enableMfa, type RecoveryCodes, setupMfa } from '../../../shared/contract/mfa.ts'
import { useAction } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = settings.secondFactor

interface SetupProps {
  onClose: () => void
  onEnabled: (codes: RecoveryCodes) => void
}

/** The secret stays in the state of this dialog, and is gone when it closes. */
export const SetupDialog = ({ isOpen, ...props }: SetupProps & { isOpen: boolean }) => (
  <Dialog title={texts.setupTitle} isOpen={isOpen} onClose={props.onClose}>
    <Setup {...props} />
  </Dialog>
)

const Setup = ({ onClose, onEnabled }: SetupProps) => {
  const setup = useAction(setupMfa)
  const { mutate: start } = setup
  useEffect(() => start({}), [start])
  const enable = useAction(enableMfa, {
    onSuccess: (codes) => {
      notify(texts.enabled)
      onEnabled(codes)
    },
  })
  if (setup.error) return <ErrorNotice error={setup.error} onRetry={() => start({})} />
  if (!setup.data) return <Skeleton />
  const { secret, qr_svg } = setup.data
  return (
    <>
      <p>{texts.scan}</p>
      <div>
        <img
          className="qr-code"
          src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
          alt={texts.qr}
        />
      </div>
      <div className="stack-small">
        <p className="quiet small">{texts.manual}</p>
        <CopyBlock text={secret} label={texts.copySecret} />
      </div>
      <Form
        onSubmit={(data) => enable.mutate({ body: { code: String(data.get('code')) } })}
        error={enable.error}
        fields={['code']}
      >
        <TextField
          name="code"
          label={texts.code}
          note={texts.codeNote}
          isRequired
          maxLength={64}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
        <DialogActions action={texts.confirm} isPending={enable.isPending} onCancel={onClose} />
      </Form>
    </>
  )
}
