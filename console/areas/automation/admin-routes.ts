import { createRoute } from '@tanstack/react-router'
import { REGISTRY_TYPES } from '../../../shared/contract/registry.ts'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { adminRoute } from '../admin/route.ts'

const validateHandlers = (search: Record<string, unknown>) => {
  const type = REGISTRY_TYPES.find((each) => each === search.type)
  return { ...(type && { type }) }
}

export const handlerRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/handlers',
    validateSearch: validateHandlers,
    component: lazyScreen(() => import('./handlers.tsx'), 'HandlersPage'),
  }),
] as const
