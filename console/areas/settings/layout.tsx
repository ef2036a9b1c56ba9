import { settings } from '../../texts/settings.ts'
import { SideNavigation } from '../../ui/side-navigation.tsx'

export const SettingsLayout = () => (
  <SideNavigation label={settings.title} path="/settings" screens={settings.areas} />
)
