import { bridgeMemories, memoryGraph, relatedMemories } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { RelatedService } from './related.ts'
import type { GraphService } from './service.ts'

export const graphRoutes = (
  mount: Mount,
  graphs: GraphService,
  relations: RelatedService,
): void => {
  mount(bridgeMemories, ({ caller, query }) => graphs.bridges(caller, query.limit))
  mount(memoryGraph, ({ caller, query }) => graphs.graph(caller, query.limit))
  mount(relatedMemories, ({ caller, params, query }) =>
    relations.related(caller, params.memory_id, query.neighbors),
  )
}
