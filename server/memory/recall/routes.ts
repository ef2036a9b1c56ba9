import { recall } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { RecallService } from './service.ts'

export const recallRoutes = (mount: Mount, recalls: RecallService): void => {
  // A recall that fails inside returns no memories, also when the credentials cannot be checked.
  mount(recall, ({ caller, body }) => recalls.recall(caller, body), { memories: [], count: 0 })
}
