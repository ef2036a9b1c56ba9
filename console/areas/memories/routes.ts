import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'
import { parseCapturedSearch, parseMemorySearch } from './search.ts'

export const memoriesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories',
    validateSearch: parseMemorySearch,
    component: lazyRouteComponent(() => import('./memories.tsx'), 'MemoriesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/new',
    component: lazyRouteComponent(() => import('./remember.tsx'), 'RememberPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/import',
    component: lazyRouteComponent(() => import('./import.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/captured',
    validateSearch: parseCapturedSearch,
    component: lazyRouteComponent(() => import('./captured.tsx'), 'CapturedPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/$id',
    validateSearch: (raw: Record<string, unknown>): { edit?: true } =>
      raw.edit === true ? { edit: true } : {},
    component: lazyRouteComponent(() => import('./memory.tsx'), 'MemoryPage'),
  }),
] as const
