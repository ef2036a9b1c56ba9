import type { Mounts } from '../platform/http/mounts.ts'
import type { Admin } from './admin.ts'
import { auditOverviewRoutes } from './audit/routes.ts'
import { configurationRoutes } from './configuration/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { queueRoutes } from './queues/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { userAdminRoutes } from './users/routes.ts'

export const serveAdmin = ({ mount }: Mounts, admin: Admin): void => {
  userAdminRoutes(mount, admin.users)
  statsRoutes(mount, admin.stats)
  configurationRoutes(mount, admin.configuration)
  queueRoutes(mount, admin.queues)
  historyRoutes(mount, admin.history)
  auditOverviewRoutes(mount, admin.auditOverview)
}
