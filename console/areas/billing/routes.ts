import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

export const billingRoutes = [
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
