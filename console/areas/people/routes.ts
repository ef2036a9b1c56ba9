import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root.ts'

const layout = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  component: lazyRouteComponent(() => import('./layout.tsx'), 'PeopleLayout'),
})

/** A dialog that is open, so that a reload and the Back button know it. */
interface DialogSearch {
  dialog?: 'create'
}
const dialogSearch = ({ dialog }: Record<string, unknown>): DialogSearch =>
  dialog === 'create' ? { dialog } : {}

const index = createRoute({
  getParentRoute: () => layout,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/people/organizations', replace: true })
  },
})

const organizations = createRoute({
  getParentRoute: () => layout,
  path: '/organizations',
  validateSearch: dialogSearch,
  component: lazyRouteComponent(() => import('./organizations.tsx'), 'OrganizationsPage'),
})

const organization = createRoute({
  getParentRoute: () => layout,
  path: '/organizations/$orgId',
  component: lazyRouteComponent(() => import('./organization.tsx'), 'OrganizationPage'),
})

interface MessagesSearch extends DialogSearch {
  archived?: true
}

const messages = createRoute({
  getParentRoute: () => layout,
  path: '/messages',
  validateSearch: (search: Record<string, unknown>): MessagesSearch => ({
    ...dialogSearch(search),
    ...(search.archived === true && { archived: true }),
  }),
  component: lazyRouteComponent(() => import('./messages.tsx'), 'MessagesPage'),
})

const messageIndex = createRoute({
  getParentRoute: () => messages,
  path: '/',
  component: lazyRouteComponent(() => import('./thread.tsx'), 'NoThread'),
})

const thread = createRoute({
  getParentRoute: () => messages,
  path: '/$threadId',
  component: lazyRouteComponent(() => import('./thread.tsx'), 'ThreadPane'),
})

const shares = createRoute({
  getParentRoute: () => layout,
  path: '/shares',
  component: lazyRouteComponent(() => import('./shares.tsx'), 'SharesPage'),
})

const email = createRoute({
  getParentRoute: () => layout,
  path: '/email',
  component: lazyRouteComponent(() => import('./email.tsx'), 'EmailPage'),
})

const composeEmail = createRoute({
  getParentRoute: () => layout,
  path: '/email/new',
  /** The thread that the email continues. */
  validateSearch: ({ thread }: Record<string, unknown>): { thread?: string } =>
    typeof thread === 'string' ? { thread } : {},
  component: lazyRouteComponent(() => import('./compose-email.tsx'), 'ComposeEmailPage'),
})

const emailThread = createRoute({
  getParentRoute: () => layout,
  path: '/email/$threadId',
  component: lazyRouteComponent(() => import('./email-thread.tsx'), 'EmailThreadPage'),
})

export const peopleRoutes = [
  layout.addChildren([
    index,
    organizations,
    organization,
    messages.addChildren([messageIndex, thread]),
    shares,
    email,
    composeEmail,
    emailThread,
  ]),
] as const
