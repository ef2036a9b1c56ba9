import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AppConsent, listConsents, revokeConsent } from '../../../shared/contract/consents.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { AppList } from './app-list.tsx'

const texts = connect.apps

export const AppsPage = () => {
  const apps = useApi(listApps, {})
  const consents = useApi(listConsents, {})
  const connectOne = (
    <Link className="button primary" to="/connect">
      {texts.connect}
    </Link>
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={apps}>
        {(list) =>
          list.length ? (
            <AppList apps={list} />
          ) : (
            <EmptyState icon="connect" title={texts.empty} actions={connectOne}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <Loaded query={consents}>
        {(list) => list.length > 0 && <ConsentList consents={list} />}
      </Loaded>
    </Page>
  )
}

/** The apps that the user signs in to with svc, with what each may do, to revoke. */
const ConsentList = ({ consents }: { consents: readonly AppConsent[] }) => {
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
