import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readGraphSearch } from './search.ts'

export const graphRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/graph',
    validateSearch: readGraphSearch,
    component: lazyScreen(() => import('./graph.tsx'), 'GraphPage'),
  }),
] as const
