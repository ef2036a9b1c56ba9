import { useState } from 'react'
import { type AppConsent, revokeConsent } from '../../../shared/contract/consents.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'

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
      <RemovalDialog
        row={revokeConsent}
        entry={revoking && { name: revoking.name, args: { params: { consent_id: revoking.id } } }}
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
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
