import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readAssistantSearch } from './assistant-search.ts'

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect',
  component: lazyScreen(() => import('./layout.tsx'), 'ConnectLayout'),
})

const getParentRoute = () => connectRoute

export const connectRoutes = [
  connectRoute.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      validateSearch: readAssistantSearch,
      component: lazyScreen(() => import('./assistants.tsx'), 'AssistantsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/apps',
      component: lazyScreen(() => import('./apps.tsx'), 'AppsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/keys',
      validateSearch: ({ create }): { create?: true } => (create ? { create: true } : {}),
      component: lazyScreen(() => import('./keys.tsx'), 'KeysPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/sessions',
      component: lazyScreen(() => import('./sessions.tsx'), 'SessionsPage'),
    }),
  ]),
] as const
