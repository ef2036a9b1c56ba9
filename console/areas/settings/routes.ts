import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyScreen(() => import('./layout.tsx'), 'SettingsLayout'),
})

/** The results of connecting a provider, which the server adds to the address. */
const validateConnection = (search: Record<string, unknown>) => ({
  ...(typeof search.connected === 'string' && { connected: search.connected }),
  ...(typeof search.error === 'string' && { error: search.error }),
})

export const settingsRoutes = [
  settingsRoute.addChildren([
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/',
      beforeLoad: () => {
        throw redirect({ to: '/settings/profile', replace: true })
      },
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/profile',
      component: lazyScreen(() => import('./profile.tsx'), 'ProfilePage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/preferences',
      component: lazyScreen(() => import('./preferences.tsx'), 'PreferencesPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/instructions',
      component: lazyScreen(() => import('./instructions.tsx'), 'InstructionsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/email',
      component: lazyScreen(() => import('./email.tsx'), 'EmailPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/password',
      component: lazyScreen(() => import('./password.tsx'), 'PasswordPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/passkeys',
      component: lazyScreen(() => import('./passkeys.tsx'), 'PasskeysPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/second-factor',
      component: lazyScreen(() => import('./second-factor.tsx'), 'SecondFactorPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/connections',
      validateSearch: validateConnection,
      component: lazyScreen(() => import('./connections.tsx'), 'ConnectionsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/activity',
      component: lazyScreen(() => import('./activity.tsx'), 'ActivityPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/files',
      component: lazyScreen(() => import('./files.tsx'), 'FilesPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/data',
      component: lazyScreen(() => import('./data.tsx'), 'DataPage'),
    }),
  ]),
] as const
