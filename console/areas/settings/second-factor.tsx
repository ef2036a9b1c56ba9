import { useState } from 'react'
import {
  disableMfa,
  type MfaStatus,
  mfaStatus,
  renewRecoveryCodes,
} from '../../../shared/contract/mfa.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { notify } from '../../ui/toast.tsx'
import { SetupDialog } from './setup-second-factor.tsx'

const texts = settings.secondFactor

type OpenDialog = 'setup' | 'renew' | 'disable'

export const SecondFactorPage = () => {
  const status = useApi(mfaStatus, {})
  const [open, setOpen] = useState<OpenDialog>()
  /** In the state of this screen only, and gone when the dialog closes. */
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)
  const showCodes = ({ recovery_codes }: { recovery_codes: string[] }) => {
    close()
    setCodes(recovery_codes)
  }
  const renew = useAction(renewRecoveryCodes, { onSuccess: showCodes })
  const disable = useAction(disableMfa, {
    onSuccess: () => {
      close()
      notify(texts.disabled)
    },
  })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={status}>{(data) => <State status={data} onOpen={setOpen} />}</Loaded>
      <SetupDialog isOpen={open === 'setup'} onClose={close} onEnabled={showCodes} />
      <CodeDialog
        title={texts.renew}
        note={texts.renewNote}
        isOpen={open === 'renew'}
        onClose={close}
        action={renew}
      />
      <CodeDialog
        title={texts.disableTitle}
        note={texts.disableNote}
        label={texts.disable}
        look="danger primary"
        isOpen={open === 'disable'}
        onClose={close}
        action={disable}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Page>
  )
}

const State = ({
  status: { enabled, recovery_codes_remaining },
  onOpen,
}: {
  status: MfaStatus
  onOpen: (dialog: OpenDialog) => void
}) => (
  <section className="card setting">
    <div className="grow">
      <span className={enabled ? 'badge good' : 'badge'}>{enabled ? texts.on : texts.off}</span>{' '}
      <span className="quiet">
        {enabled ? texts.remaining(recovery_codes_remaining) : texts.offNote}
      </span>
    </div>
    {enabled ? (
      <>
        <Button onPress={() => onOpen('renew')}>{texts.renew}</Button>
        <Button look="danger" onPress={() => onOpen('disable')}>
          {texts.disable}
        </Button>
      </>
    ) : (
      <Button look="primary" onPress={() => onOpen('setup')}>
        {texts.enable}
      </Button>
    )}
  </section>
)

interface CodeDialogProps {
  title: string
  note: string
  /** The text of the button; the title if left out. */
  label?: string
  look?: 'primary' | 'danger primary'
  isOpen: boolean
  onClose: () => void
  /** The call that needs a code. */
  action: {
    mutate: (args: { body: { code: string } }) => void
    reset: () => void
    error: Error | null
    isPending: boolean
  }
}

/** Asks for a code of the second factor. */
const CodeDialog = (props: CodeDialogProps) => {
  const { title, note, label = title, look = 'primary', isOpen, onClose, action } = props
  const close = () => {
    action.reset()
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <p>{note}</p>
      <Form
        onSubmit={(data) => action.mutate({ body: { code: String(data.get('code')) } })}
        error={action.error}
        fields={['code']}
      >
        <TextField
          name="code"
          label={texts.code}
          note={texts.anyCodeNote}
          isRequired
          maxLength={64}
          autoComplete="one-time-code"
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" look={look} isPending={action.isPending}>
            {label}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface RecoveryCodesDialogProps {
  /** Closed if left out. */
  codes: readonly string[] | undefined
  onClose: () => void
}

/** A click beside it does not close it: the codes cannot be shown again. */
const RecoveryCodesDialog = ({ codes, onClose }: RecoveryCodesDialogProps) => {
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
