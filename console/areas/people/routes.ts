import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { dialogSearch } from '../../ui/dialog-search.ts'
import { peopleRoute } from './route.ts'

const index = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/people/organizations', replace: true })
  },
})

const organizations = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/organizations',
  validateSearch: dialogSearch,
  component: lazyScreen(() => import('./organizations.tsx'), 'OrganizationsPage'),
})

const organization = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/organizations/$orgId',
  component: lazyScreen(() => import('./organization.tsx'), 'OrganizationPage'),
})

const email = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/email',
  component: lazyScreen(() => import('./email.tsx'), 'EmailPage'),
})

const composeEmail = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/email/new',
  /** The thread that the email continues. */
  validateSearch: ({ thread }: Record<string, unknown>): { thread?: string } =>
    typeof thread === 'string' ? { thread } : {},
  component: lazyScreen(() => import('./compose-email.tsx'), 'ComposeEmailPage'),
})

const emailThread = createRoute({
  getParentRoute: () => peopleRoute,
  path: '/email/$threadId',
  component: lazyScreen(() => import('./email-thread.tsx'), 'EmailThreadPage'),
})

export const peopleScreens = [
  index,
  organizations,
  organization,
  email,
  composeEmail,
  emailThread,
] as const
