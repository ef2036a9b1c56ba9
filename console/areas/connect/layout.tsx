import { Outlet } from '@tanstack/react-router'
import { connect } from '../../texts/connect.ts'
import { AreaNavigation } from '../../ui/area-navigation.tsx'

const { tabs } = connect

export const ConnectLayout = () => (
  <AreaNavigation
    label={connect.title}
    links={[
      { to: '/connect', label: tabs.assistants, isExact: true },
      { to: '/connect/apps', label: tabs.apps },
      { to: '/connect/keys', label: tabs.keys },
      { to: '/connect/sessions', label: tabs.sessions },
    ]}
  >
    <Outlet />
  </AreaNavigation>
)
