import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'
import { readGraphSearch } from './search.ts'

export const graphRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/graph',
    validateSearch: readGraphSearch,
    component: lazyRouteComponent(() => import('./graph.tsx'), 'GraphPage'),
  }),
] as const
