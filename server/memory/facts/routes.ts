import { memoryFacts } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { FactService } from './service.ts'

export const factRoutes = (mount: Mount, facts: FactService): void => {
  mount(memoryFacts, ({ caller, params }) => facts.list(caller, params.memory_id))
}
