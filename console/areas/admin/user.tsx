import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AdminUser, getUser } from '../../../shared/contract/admin.ts'
import { adminAuditLog } from '../../../shared/contract/operations.ts'
import { useApiPages } from '../../session/pages.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { AuditTable } from '../../ui/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { type UserAction, UserDialog } from './user-actions.tsx'
import { UserBadges } from './user-badges.tsx'

const texts = admin.user
const route = getRouteApi('/admin/users/$userId')

export const UserPage = () => {
  const { userId } = route.useParams()
  const user = useApi(getUser, { params: { user_id: userId } })
  const [action, setAction] = useState<UserAction>()
  return (
    <Page
      title={user.data?.display_name ?? user.data?.username ?? admin.users.user}
      intro={
        <Link to="/admin/users" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
    >
      <Loaded query={user}>
        {(data) => (
          <>
            <Details user={data} />
            <Actions user={data} onAction={setAction} />
            {action && (
              <UserDialog user={data} action={action} onClose={() => setAction(undefined)} />
            )}
          </>
        )}
      </Loaded>
      <Events userId={userId} />
    </Page>
  )
}

const Details = ({ user }: { user: AdminUser }) => (
  <section className="card">
    <dl className="details">
      <dt>{texts.email}</dt>
      <dd>
        <bdi>{user.email}</bdi>
      </dd>
      <dt>{texts.username}</dt>
      <dd>
        <bdi>{user.username}</bdi>
      </dd>
      <dt>{texts.id}</dt>
      <dd className="mono small">{user.id}</dd>
      <dt>{texts.tier}</dt>
      <dd>{user.tier}</dd>
      <dt>{texts.created}</dt>
      <dd>{formatDateTime(user.created_at)}</dd>
      <dt>{texts.lastSeen}</dt>
      <dd>{user.last_seen_at ? <Time iso={user.last_seen_at} /> : common.never}</dd>
      <dt>{texts.state}</dt>
      <dd className="row">
        <UserBadges user={user} />
        {user.disabled_at && (
          <span className="quiet small">
            {texts.since} <Time iso={user.disabled_at} />
          </span>
        )}
      </dd>
    </dl>
  </section>
)

interface ActionsProps {
  user: AdminUser
  onAction: (action: UserAction) => void
}

const Actions = ({ user, onAction }: ActionsProps) => (
  <div className="row">
    <Button onPress={() => onAction('tier')}>{texts.changeTier}</Button>
    <Button onPress={() => onAction('admin')}>{user.is_admin ? texts.revoke : texts.grant}</Button>
    {!user.disabled_at && !user.is_admin && (
      <Button onPress={() => onAction('impersonate')}>{texts.impersonate}</Button>
    )}
    {!user.is_admin && (
      <>
        <Button onPress={() => onAction('email')}>{texts.setEmail}</Button>
        <Button onPress={() => onAction('factor')}>{texts.resetFactor}</Button>
      </>
    )}
    {user.disabled_at ? (
      <Button onPress={() => onAction('enable')}>{texts.enable}</Button>
    ) : (
      <Button look="danger" onPress={() => onAction('disable')}>
        {texts.disable}
      </Button>
    )}
    {!user.is_admin && (
      <Button look="danger" onPress={() => onAction('delete')}>
        {texts.delete}
      </Button>
    )}
  </div>
)

const Events = ({ userId }: { userId: string }) => {
  const query = useApiPages(
    adminAuditLog,
    { userId },
    (cursor) => ({ query: { user_id: userId, limit: 20, ...(cursor && { cursor }) } }),
    ({ next_cursor }) => next_cursor,
  )
  return (
    <section className="stack-small">
      <h2>{texts.events}</h2>
      <Loaded query={query}>
        {({ pages }) => <AuditTable entries={pages.flatMap(({ entries }) => entries)} />}
      </Loaded>
      <LoadMore query={query} />
    </section>
  )
}
