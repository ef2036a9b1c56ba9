import { useState } from 'react'
import {
  disableMfa,
  type MfaStatus,
  mfaStatus,
  renewRecoveryCodes,
} from '../../../shared/contract/mfa.ts'
import { useAction, useApi } from '../../session/query.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
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
