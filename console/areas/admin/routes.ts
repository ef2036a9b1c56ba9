import { createRoute, redirect } from '@tanstack/react-router'
import { LOG_LEVELS } from '../../../shared/contract/logs.ts'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { readDaysSearch } from '../../ui/days-search.ts'
import { dialogSearch } from '../../ui/dialog-search.ts'
import { adminRoute } from './route.ts'
import { textOf, validateAudit } from './search.ts'

const validateUsers = (search: Record<string, unknown>): { q?: string } => textOf(search, 'q')

const validateLogs = (search: Record<string, unknown>) => {
  const level = LOG_LEVELS.find((each) => each === search.level)
  return { ...textOf(search, 'q'), ...(level && { level }) } as {
    q?: string
    level?: (typeof LOG_LEVELS)[number]
  }
}

export const adminScreens = [
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
    validateSearch: dialogSearch,
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
] as const
