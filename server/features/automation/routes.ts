import type { Mounts } from '../../platform/http/mounts.ts'
import type { Automation } from './automation.ts'
import { confirmationRoutes } from './confirmations/service.ts'
import { proactiveRoutes } from './proactive/service.ts'
import { reflexRoutes } from './reflexes/service.ts'
import { registryRoutes } from './registry/service.ts'
import { senseRoutes } from './senses/service.ts'

export const serveAutomation = ({ mount }: Mounts, automation: Automation): void => {
  registryRoutes(mount, automation.registry)
  senseRoutes(mount, automation.senses)
  confirmationRoutes(mount, automation.confirmations)
  reflexRoutes(mount, automation.reflexes)
  proactiveRoutes(mount, automation.proactive)
}
