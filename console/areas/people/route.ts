import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

/** The frame of the screens of people. */
export const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  component: lazyScreen(() => import('./layout.tsx'), 'PeopleLayout'),
})
