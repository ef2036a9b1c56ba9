import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./layout.tsx'), 'SettingsLayout'),
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
      component: lazyRouteComponent(() => import('./profile.tsx'), 'ProfilePage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/preferences',
      component: lazyRouteComponent(() => import('./preferences.tsx'), 'PreferencesPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/instructions',
      component: lazyRouteComponent(() => import('./instructions.tsx'), 'InstructionsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/email',
      component: lazyRouteComponent(() => import('./email.tsx'), 'EmailPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/password',
      component: lazyRouteComponent(() => import('./password.tsx'), 'PasswordPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/passkeys',
      component: lazyRouteComponent(() => import('./passkeys.tsx'), 'PasskeysPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/second-factor',
      component: lazyRouteComponent(() => import('./second-factor.tsx'), 'SecondFactorPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/connections',
      validateSearch: validateConnection,
      component: lazyRouteComponent(() => import('./connections.tsx'), 'ConnectionsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/activity',
      component: lazyRouteComponent(() => import('./activity.tsx'), 'ActivityPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/data',
      component: lazyRouteComponent(() => import('./data.tsx'), 'DataPage'),
    }),
  ]),
] as const
