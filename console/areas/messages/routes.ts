import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { type DialogSearch, dialogSearch } from '../../ui/dialog-search.ts'
import { peopleRoute } from '../people/route.ts'

interface MessagesSearch extends DialogSearch {
  archived?: true
}

const messages = createRoute({
  getParentRoute: () => peopleRoute,
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
  getParentRoute: () => peopleRoute,
  path: '/shares',
  component: lazyScreen(() => import('./shares.tsx'), 'SharesPage'),
})

export const messageRoutes = [messages.addChildren([messageIndex, thread]), shares] as const
