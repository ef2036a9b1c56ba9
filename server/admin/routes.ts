import type { Mounts } from '../platform/http/mounts.ts'
import type { Administration } from './administration.ts'
import { statsRoutes } from './stats/routes.ts'
import { userAdministrationRoutes } from './users/routes.ts'

export const serveAdministration = ({ mount }: Mounts, admin: Administration): void => {
  userAdministrationRoutes(mount, admin.users)
  statsRoutes(mount, admin.stats)
}
