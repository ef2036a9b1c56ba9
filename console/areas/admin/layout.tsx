import { Link } from '@tanstack/react-router'
import { me } from '../../../shared/contract/sessions.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SideNavigation } from '../../ui/side-navigation.tsx'

const { areas } = admin

const LINKS = [
  { to: '/admin/overview', label: areas.overview },
  { to: '/admin/users', label: areas.users },
  { to: '/admin/tiers', label: areas.tiers },
  { to: '/admin/engines', label: areas.engines },
  { to: '/admin/handlers', label: areas.handlers },
  { to: '/admin/queues', label: areas.queues },
  { to: '/admin/health', label: areas.health },
  { to: '/admin/configuration', label: areas.configuration },
  { to: '/admin/audit', label: areas.audit },
]

/** The API refuses other users too; this page says why. */
export const AdminLayout = () => {
  const user = useApi(me, {})
  return (
    <Loaded query={user}>
      {({ is_admin }) =>
        is_admin ? <SideNavigation label={admin.title} links={LINKS} /> : <RefusedPage />
      }
    </Loaded>
  )
}

const RefusedPage = () => (
  <Page title={admin.title}>
    <EmptyState
      icon="admin"
      title={admin.refused.title}
      actions={
        <Link className="button" to="/">
          {admin.refused.home}
        </Link>
      }
    >
      {admin.refused.note}
    </EmptyState>
  </Page>
)
