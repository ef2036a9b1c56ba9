import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readActivitySearch } from './search.ts'

export const activityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/activity',
    validateSearch: readActivitySearch,
    component: lazyScreen(() => import('./activity.tsx'), 'ActivityPage'),
  }),
] as const
