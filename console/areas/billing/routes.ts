import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'

/** Stripe leads back to the console with `?paid=1`. */
const readPaid = (search: Record<string, unknown>): { paid?: 1 } =>
  Number(search.paid) === 1 ? { paid: 1 } : {}

export const billingRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage',
    validateSearch: readPaid,
    component: lazyRouteComponent(() => import('./usage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/credits',
    component: lazyRouteComponent(() => import('./credits.tsx'), 'CreditsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/usage/tiers',
    component: lazyRouteComponent(() => import('./tiers.tsx'), 'TiersPage'),
  }),
] as const
