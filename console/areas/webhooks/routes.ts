import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { dialogSearch } from '../../ui/dialog-search.ts'
import { adminRoute } from '../admin/route.ts'
import { peopleRoute } from '../people/route.ts'

export const serverWebhookRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/webhooks',
    validateSearch: dialogSearch,
    component: lazyScreen(() => import('./server-webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/webhooks/$webhookId',
    component: lazyScreen(() => import('./server-webhooks.tsx'), 'WebhookPage'),
  }),
] as const

export const organizationWebhookRoutes = [
  createRoute({
    getParentRoute: () => peopleRoute,
    path: '/organizations/$orgId/webhooks',
    validateSearch: dialogSearch,
    component: lazyScreen(() => import('./organization-webhooks.tsx'), 'OrganizationWebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => peopleRoute,
    path: '/organizations/$orgId/webhooks/$webhookId',
    component: lazyScreen(() => import('./organization-webhooks.tsx'), 'OrganizationWebhookPage'),
  }),
] as const
