import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
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
  component: lazyRouteComponent(() => import('./layout.tsx'), 'ChatLayout'),
})

const getParentRoute = () => layout

export const chatRoutes = [
  layout.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyRouteComponent(() => import('./new-chat.tsx'), 'NewChatPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/agents',
      component: lazyRouteComponent(() => import('./agents.tsx'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/agents/$slug',
      component: lazyRouteComponent(() => import('./agent.tsx'), 'AgentPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/$sessionId',
      component: lazyRouteComponent(() => import('./session.tsx'), 'ChatSessionPage'),
    }),
  ]),
] as const
