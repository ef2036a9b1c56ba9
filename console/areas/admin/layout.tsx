import { Link, Outlet } from '@tanstack/react-router'
import { me } from '../../../shared/contract/sessions.ts'
import { features } from '../../features.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { AreaNavigation, areaLinks } from '../../ui/area-navigation.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

const { areas } = admin
const { handlers: _handlers, webhooks: _webhooks, ...core } = areas
const added: readonly string[] = features.flatMap(({ adminScreens = [] }) => adminScreens)
const screens = Object.fromEntries(
  Object.entries(areas).filter(([name]) => name in core || added.includes(name)),
)

/** The API refuses other users too; this page says why. */
export const AdminLayout = () => {
  const user = useApi(me, {})
  return (
    <Loaded query={user}>
      {({ is_admin }) =>
        is_admin ? (
          <AreaNavigation label={admin.title} links={areaLinks('/admin', screens)}>
            <Outlet />
          </AreaNavigation>
        ) : (
          <RefusedPage />
        )
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
