import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

/** The filter of the list of chats. */
export interface ChatSearch {
  q?: string
  category?: string
  archived?: boolean
}

const layout = createRoute({
  getParentRoute: () => shellRoute,
  path: '/chat',
  validateSearch: ({ q, category, archived }: Record<string, unknown>): ChatSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(typeof category === 'string' && { category }),
    ...(archived === true && { archived }),
  }),
  component: lazyScreen(() => import('./layout.tsx'), 'ChatLayout'),
})

const getParentRoute = () => layout

export const chatRoutes = [
  layout.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyScreen(() => import('./new-chat.tsx'), 'NewChatPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/agents',
      component: lazyScreen(() => import('./agents.tsx'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/agents/$slug',
      component: lazyScreen(() => import('./agent.tsx'), 'AgentPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$sessionId',
      component: lazyScreen(() => import('./session.tsx'), 'ChatSessionPage'),
    }),
  ]),
] as const
