import { settings } from '../../texts/settings.ts'
import { SideNavigation } from '../../ui/side-navigation.tsx'

const { areas } = settings

const LINKS = [
  { to: '/settings/profile', label: areas.profile },
  { to: '/settings/preferences', label: areas.preferences },
  { to: '/settings/instructions', label: areas.instructions },
  { to: '/settings/email', label: areas.email },
  { to: '/settings/password', label: areas.password },
  { to: '/settings/second-factor', label: areas.secondFactor },
  { to: '/settings/connections', label: areas.connections },
  { to: '/settings/activity', label: areas.activity },
  { to: '/settings/data', label: areas.data },
]

export const SettingsLayout = () => <SideNavigation label={settings.title} links={LINKS} />
