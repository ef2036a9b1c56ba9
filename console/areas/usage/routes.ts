import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readDaysSearch } from '../../ui/days-search.ts'

export const usageRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage',
    component: lazyScreen(() => import('./usage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/days',
    validateSearch: readDaysSearch,
    component: lazyScreen(() => import('./days.tsx'), 'DaysPage'),
  }),
] as const
