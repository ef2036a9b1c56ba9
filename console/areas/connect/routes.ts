import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'
import { readAssistantSearch } from './assistant-search.ts'

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect',
  component: lazyRouteComponent(() => import('./layout.tsx'), 'ConnectLayout'),
})

const getParentRoute = () => connectRoute

export const connectRoutes = [
  connectRoute.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      validateSearch: readAssistantSearch,
      component: lazyRouteComponent(() => import('./assistants.tsx'), 'AssistantsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/apps',
      component: lazyRouteComponent(() => import('./apps.tsx'), 'AppsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/keys',
      validateSearch: ({ create }): { create?: true } => (create ? { create: true } : {}),
      component: lazyRouteComponent(() => import('./keys.tsx'), 'KeysPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/sessions',
      component: lazyRouteComponent(() => import('./sessions.tsx'), 'SessionsPage'),
    }),
  ]),
] as const
