import { useState } from 'react'
import { type AppConsent, revokeConsent } from '../../../shared/contract/consents.ts'
import { useAction } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = connect.apps

/** The apps that the user signs in to with svc, with what each may do, to revoke. */
export const ConsentList = ({ consents }: { consents: readonly AppConsent[] }) => {
  const [revoking, setRevoking] = useState<AppConsent>()
  return (
    <section>
      <h2>{texts.signedIn}</h2>
      <ul className="list">
        {consents.map((consent) => (
          <ConsentRow key={consent.id} consent={consent} onRevoke={() => setRevoking(consent)} />
        ))}
      </ul>
      <RevokeConsentDialog consent={revoking} onClose={() => setRevoking(undefined)} />
    </section>
  )
}

const ConsentRow = ({ consent, onRevoke }: { consent: AppConsent; onRevoke: () => void }) => (
  <li className="connect-row">
    <div className="grow">
      <div className="row">
        <strong className="connect-name">
          <bdi>{consent.name}</bdi>
        </strong>
        <span className="badge">
          {consent.org ? <bdi className="connect-org">{consent.org.name}</bdi> : texts.personal}
        </span>
      </div>
      <p className="small">{consent.scopes.map((scope) => texts.scopes[scope]).join(', ')}</p>
      <p className="quiet small">
        {texts.lastUsed} <Time iso={consent.last_used_at} /> · {texts.since}{' '}
        <Time iso={consent.created_at} />
      </p>
    </div>
    <Button isSmall look="danger" aria-label={texts.revokeNamed(consent.name)} onPress={onRevoke}>
      {texts.revoke}
    </Button>
  </li>
)

interface RevokeConsentDialogProps {
  consent: AppConsent | undefined
  onClose: () => void
}

const RevokeConsentDialog = ({ consent, onClose }: RevokeConsentDialogProps) => {
  const close = () => {
    onClose()
    revoke.reset()
  }
  const revoke = useAction(revokeConsent, {
    onSuccess: () => {
      if (consent) notify(texts.revoked(consent.name))
      close()
    },
  })
  return (
    <ConfirmDialog
      title={texts.revokeTitle(consent?.name ?? '')}
      action={texts.revoke}
      isOpen={consent !== undefined}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => consent && revoke.mutate({ params: { consent_id: consent.id } })}
      onClose={close}
    >
      {texts.revokeNote}
    </ConfirmDialog>
  )
}
