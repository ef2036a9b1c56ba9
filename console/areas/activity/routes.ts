import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'
import { readActivitySearch } from './search.ts'

export const activityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/activity',
    validateSearch: readActivitySearch,
    component: lazyRouteComponent(() => import('./activity.tsx'), 'ActivityPage'),
  }),
] as const
