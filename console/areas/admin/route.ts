import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

/** The frame of the screens of administration. */
export const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin',
  component: lazyScreen(() => import('./layout.tsx'), 'AdminLayout'),
})
