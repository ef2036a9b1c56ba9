import { createRoute, redirect } from '@tanstack/react-router'
import { LOG_LEVELS } from '../../../shared/contract/logs.ts'
import { REGISTRY_TYPES } from '../../../shared/contract/registry.ts'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { readDaysSearch } from '../../ui/days-search.ts'
import { textOf, validateAudit } from './search.ts'

const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin',
  component: lazyScreen(() => import('./layout.tsx'), 'AdminLayout'),
})

const validateUsers = (search: Record<string, unknown>): { q?: string } => textOf(search, 'q')

const validateHandlers = (search: Record<string, unknown>) => {
  const type = REGISTRY_TYPES.find((each) => each === search.type)
  return { ...(type && { type }) }
}

const validateLogs = (search: Record<string, unknown>) => {
  const level = LOG_LEVELS.find((each) => each === search.level)
  return { ...textOf(search, 'q'), ...(level && { level }) } as {
    q?: string
    level?: (typeof LOG_LEVELS)[number]
  }
}

const validateDialog = ({ dialog }: Record<string, unknown>): { dialog?: 'create' } =>
  dialog === 'create' ? { dialog } : {}

export const adminRoutes = [
  adminRoute.addChildren([
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/',
      beforeLoad: () => {
        throw redirect({ to: '/admin/overview', replace: true })
      },
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/overview',
      validateSearch: readDaysSearch,
      component: lazyScreen(() => import('./overview.tsx'), 'OverviewPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/users',
      validateSearch: validateUsers,
      component: lazyScreen(() => import('./users.tsx'), 'UsersPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/users/$userId',
      component: lazyScreen(() => import('./user.tsx'), 'UserPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/apps',
      validateSearch: validateDialog,
      component: lazyScreen(() => import('./apps.tsx'), 'AppsPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/tiers',
      component: lazyScreen(() => import('./tiers.tsx'), 'TiersPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/engines',
      component: lazyScreen(() => import('./engines.tsx'), 'EnginesPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/handlers',
      validateSearch: validateHandlers,
      component: lazyScreen(() => import('./handlers.tsx'), 'HandlersPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/queues',
      component: lazyScreen(() => import('./queues.tsx'), 'QueuesPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/health',
      component: lazyScreen(() => import('./health.tsx'), 'HealthPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/configuration',
      component: lazyScreen(() => import('./configuration.tsx'), 'ConfigurationPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/settings',
      component: lazyScreen(() => import('./settings.tsx'), 'SettingsPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/backups',
      component: lazyScreen(() => import('./backups.tsx'), 'BackupsPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/webhooks',
      validateSearch: validateDialog,
      component: lazyScreen(() => import('./webhooks.tsx'), 'WebhooksPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/webhooks/$webhookId',
      component: lazyScreen(() => import('./webhooks.tsx'), 'WebhookPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/logs',
      validateSearch: validateLogs,
      component: lazyScreen(() => import('./logs.tsx'), 'LogsPage'),
    }),
    createRoute({
      getParentRoute: () => adminRoute,
      path: '/audit',
      validateSearch: validateAudit,
      component: lazyScreen(() => import('./audit.tsx'), 'AuditPage'),
    }),
  ]),
] as const
