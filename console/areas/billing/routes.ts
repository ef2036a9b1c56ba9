import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readDaysSearch } from '../../ui/days-search.ts'

/** Stripe leads back to the console with `?paid=1`. */
const readPaid = (search: Record<string, unknown>): { paid?: 1 } =>
  Number(search.paid) === 1 ? { paid: 1 } : {}

export const billingRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage',
    validateSearch: readPaid,
    component: lazyScreen(() => import('./usage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/days',
    validateSearch: readDaysSearch,
    component: lazyScreen(() => import('./days.tsx'), 'DaysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/credits',
    component: lazyScreen(() => import('./credits.tsx'), 'CreditsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/tiers',
    component: lazyScreen(() => import('./tiers.tsx'), 'TiersPage'),
  }),
] as const
