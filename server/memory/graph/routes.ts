import { bridgeMemories, memoryGraph } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { GraphService } from './service.ts'

export const graphRoutes = (mount: Mount, graphs: GraphService): void => {
  mount(bridgeMemories, ({ caller, query }) => graphs.bridges(caller, query.limit))
  mount(memoryGraph, ({ caller, query }) => graphs.graph(caller, query.limit))
}
