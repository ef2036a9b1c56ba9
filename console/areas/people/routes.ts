import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

const layout = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  component: lazyScreen(() => import('./layout.tsx'), 'PeopleLayout'),
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
  component: lazyScreen(() => import('./organizations.tsx'), 'OrganizationsPage'),
})

const organization = createRoute({
  getParentRoute: () => layout,
  path: '/organizations/$orgId',
  component: lazyScreen(() => import('./organization.tsx'), 'OrganizationPage'),
})

const organizationWebhooks = createRoute({
  getParentRoute: () => layout,
  path: '/organizations/$orgId/webhooks',
  validateSearch: dialogSearch,
  component: lazyScreen(() => import('./organization-webhooks.tsx'), 'OrganizationWebhooksPage'),
})

const organizationWebhook = createRoute({
  getParentRoute: () => layout,
  path: '/organizations/$orgId/webhooks/$webhookId',
  component: lazyScreen(() => import('./organization-webhooks.tsx'), 'OrganizationWebhookPage'),
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
  component: lazyScreen(() => import('./messages.tsx'), 'MessagesPage'),
})

const messageIndex = createRoute({
  getParentRoute: () => messages,
  path: '/',
  component: lazyScreen(() => import('./thread.tsx'), 'NoThread'),
})

const thread = createRoute({
  getParentRoute: () => messages,
  path: '/$threadId',
  component: lazyScreen(() => import('./thread.tsx'), 'ThreadPane'),
})

const shares = createRoute({
  getParentRoute: () => layout,
  path: '/shares',
  component: lazyScreen(() => import('./shares.tsx'), 'SharesPage'),
})

const email = createRoute({
  getParentRoute: () => layout,
  path: '/email',
  component: lazyScreen(() => import('./email.tsx'), 'EmailPage'),
})

const composeEmail = createRoute({
  getParentRoute: () => layout,
  path: '/email/new',
  /** The thread that the email continues. */
  validateSearch: ({ thread }: Record<string, unknown>): { thread?: string } =>
    typeof thread === 'string' ? { thread } : {},
  component: lazyScreen(() => import('./compose-email.tsx'), 'ComposeEmailPage'),
})

const emailThread = createRoute({
  getParentRoute: () => layout,
  path: '/email/$threadId',
  component: lazyScreen(() => import('./email-thread.tsx'), 'EmailThreadPage'),
})

export const peopleRoutes = [
  layout.addChildren([
    index,
    organizations,
    organization,
    organizationWebhooks,
    organizationWebhook,
    messages.addChildren([messageIndex, thread]),
    shares,
    email,
    composeEmail,
    emailThread,
  ]),
] as const
