import type { Mounts } from '../platform/http/mounts.ts'
import { engineRoutes } from './engines/routes.ts'
import { factRoutes } from './facts/routes.ts'
import { graphRoutes } from './graph/service.ts'
import { identityRoutes } from './identity/service.ts'
import { introspectRoutes } from './introspect/service.ts'
import { memoryRoutes } from './memories/routes.ts'
import type { Memory } from './memory.ts'
import { recallRoutes } from './recall/routes.ts'
import { transferRoutes } from './transfer/routes.ts'

export const serveMemory = ({ mount }: Mounts, memory: Memory): void => {
  memoryRoutes(mount, memory.memories)
  factRoutes(mount, memory.facts)
  identityRoutes(mount, memory.identity)
  recallRoutes(mount, memory.recalls)
  graphRoutes(mount, memory.graphs)
  introspectRoutes(mount, memory.introspect)
  engineRoutes(mount, memory.engineControl)
  transferRoutes(mount, memory.transfers)
}
