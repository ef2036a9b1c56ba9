import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'
import { validateChats } from './search.ts'

const layout = createRoute({
  getParentRoute: () => shellRoute,
  path: '/chat',
  validateSearch: validateChats,
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
