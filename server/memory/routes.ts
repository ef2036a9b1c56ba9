import type { Mounts } from '../platform/http/mounts.ts'
import { captureRoutes } from './capture/service.ts'
import { engineRoutes } from './engines/control.ts'
import { factRoutes } from './facts/service.ts'
import { feedbackRoutes } from './feedback/service.ts'
import { graphRoutes } from './graph/service.ts'
import { identityRoutes } from './identity/service.ts'
import { introspectRoutes } from './introspect/service.ts'
import { memoryRoutes } from './memories/service.ts'
import type { MemoryServices } from './memory.ts'
import { projectRoutes } from './projects/service.ts'
import { recallRoutes } from './recall/service.ts'
import { transferRoutes } from './transfer/service.ts'

export const serveMemory = ({ mount }: Mounts, memory: MemoryServices): void => {
  memoryRoutes(mount, memory.memories)
  captureRoutes(mount, memory.captures)
  projectRoutes(mount, memory.projects)
  factRoutes(mount, memory.facts)
  feedbackRoutes(mount, memory.feedback)
  identityRoutes(mount, memory.identity)
  recallRoutes(mount, memory.recalls)
  graphRoutes(mount, memory.graphs)
  introspectRoutes(mount, memory.introspect)
  engineRoutes(mount, memory.engineControl)
  transferRoutes(mount, memory.transfers)
}
