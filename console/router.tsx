import { createRouter } from '@tanstack/react-router'
import { activityRoutes } from './areas/activity/routes.ts'
import { adminRoute } from './areas/admin/route.ts'
import { adminScreens } from './areas/admin/routes.ts'
import { handlerRoutes } from './areas/automation/admin-routes.ts'
import { automationRoutes } from './areas/automation/routes.ts'
import { billingRoutes } from './areas/billing/routes.ts'
import { chatRoutes } from './areas/chat/routes.ts'
import { connectRoutes } from './areas/connect/routes.ts'
import { graphRoutes } from './areas/graph/routes.ts'
import { homeRoutes } from './areas/home/routes.ts'
import { memoriesRoutes } from './areas/memories/routes.ts'
import { messageRoutes } from './areas/messages/routes.ts'
import { peopleRoute } from './areas/people/route.ts'
import { peopleScreens } from './areas/people/routes.ts'
import { settingsRoutes } from './areas/settings/routes.ts'
import { usageRoutes } from './areas/usage/routes.ts'
import { organizationWebhookRoutes, serverWebhookRoutes } from './areas/webhooks/routes.ts'
import { BASE_PATH } from './base.ts'
import { ErrorPage, NotFoundPage } from './shell/fallbacks.tsx'
import { shellRoute } from './shell/root.ts'

/** Below this path the server responds with the page of the console. */
const CONSOLE_PATH = `${BASE_PATH}/app`

export const router = createRouter({
  routeTree: shellRoute.addChildren([
    ...homeRoutes,
    ...activityRoutes,
    ...memoriesRoutes,
    ...graphRoutes,
    ...chatRoutes,
    ...connectRoutes,
    peopleRoute.addChildren([...peopleScreens, ...messageRoutes, ...organizationWebhookRoutes]),
    ...automationRoutes,
    ...usageRoutes,
    ...billingRoutes,
    ...settingsRoutes,
    adminRoute.addChildren([...adminScreens, ...handlerRoutes, ...serverWebhookRoutes]),
  ]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
