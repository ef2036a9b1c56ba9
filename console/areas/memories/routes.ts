import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { parseCapturedSearch, parseMemorySearch } from './search.ts'

export const memoriesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories',
    validateSearch: parseMemorySearch,
    component: lazyScreen(() => import('./memories.tsx'), 'MemoriesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/new',
    component: lazyScreen(() => import('./remember.tsx'), 'RememberPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/import',
    component: lazyScreen(() => import('./import.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/captured',
    validateSearch: parseCapturedSearch,
    component: lazyScreen(() => import('./captured.tsx'), 'CapturedPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/projects',
    component: lazyScreen(() => import('./projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/memories/$id',
    validateSearch: (raw: Record<string, unknown>): { edit?: true } =>
      raw.edit === true ? { edit: true } : {},
    component: lazyScreen(() => import('./memory.tsx'), 'MemoryPage'),
  }),
] as const
