import { Outlet } from '@tanstack/react-router'
import { settings } from '../../texts/settings.ts'
import { AreaNavigation, areaLinks } from '../../ui/area-navigation.tsx'

export const SettingsLayout = () => (
  <AreaNavigation label={settings.title} links={areaLinks('/settings', settings.areas)}>
    <Outlet />
  </AreaNavigation>
)
