import { useState } from 'react'
import { type AuthorizedApp, updateApp } from '../../../shared/contract/oauth-server.ts'
import { revokeSession } from '../../../shared/contract/sessions.ts'
import { useAction } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { changeText, LimitBadges, LimitMenu } from './limits.tsx'

const texts = connect.apps

/** Authorized apps with what they may do, to limit, pause and revoke. */
export const AppList = ({ apps }: { apps: readonly AuthorizedApp[] }) => {
  const [revoking, setRevoking] = useState<AuthorizedApp>()
  return (
    <>
      <ul className="list">
        {apps.map((app) => (
          <AppRow key={app.session_id} app={app} onRevoke={() => setRevoking(app)} />
        ))}
      </ul>
      <RemovalDialog
        row={revokeSession}
        entry={
          revoking && { name: revoking.name, args: { params: { session_id: revoking.session_id } } }
        }
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
    </>
  )
}

const AppRow = ({ app, onRevoke }: { app: AuthorizedApp; onRevoke: () => void }) => {
  const update = useAction(updateApp, {
    onSuccess: ({ name }, { body }) => notify(changeText(name, body)),
    onError: notifyError,
  })
  return (
    <li className="connect-row">
      <div className="grow">
        <div className="row">
          <strong className="connect-name">
            <bdi>{app.name}</bdi>
          </strong>
          <span className="badge">
            {app.org ? <bdi className="connect-org">{app.org.name}</bdi> : texts.personal}
          </span>
          <LimitBadges {...app} />
        </div>
        <p className="quiet small">
          {texts.lastUsed} <Time iso={app.last_seen_at} /> · {texts.since}{' '}
          <Time iso={app.created_at} />
        </p>
      </div>
      <LimitMenu
        name={app.name}
        limits={app}
        onChange={(body) => update.mutate({ params: { session_id: app.session_id }, body })}
      />
      <Button isSmall look="danger" aria-label={texts.revokeNamed(app.name)} onPress={onRevoke}>
        {texts.revoke}
      </Button>
    </li>
  )
}
