import type { Mounts } from '../platform/http/mounts.ts'
import type { Automation } from './automation.ts'
import { confirmationRoutes } from './confirmations/routes.ts'
import { proactiveRoutes } from './proactive/routes.ts'
import { reflexRoutes } from './reflexes/routes.ts'
import { registryRoutes } from './registry/routes.ts'
import { senseRoutes } from './senses/routes.ts'

export const serveAutomation = ({ mount }: Mounts, automation: Automation): void => {
  registryRoutes(mount, automation.registry)
  senseRoutes(mount, automation.senses)
  confirmationRoutes(mount, automation.confirmations)
  reflexRoutes(mount, automation.reflexes)
  proactiveRoutes(mount, automation.proactive)
}
