import {
  giveFeedback,
  listProactiveIntents,
  listUpcomingReminders,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ProactiveService } from './service.ts'

export const proactiveRoutes = (mount: Mount, proactive: ProactiveService): void => {
  mount(listProactiveIntents, ({ caller, query }) => proactive.list(caller, query))
  mount(listUpcomingReminders, ({ caller, query }) => proactive.listUpcoming(caller, query))
  mount(giveFeedback, ({ caller, body }) => proactive.setFeedback(caller, body))
}
