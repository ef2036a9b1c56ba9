import { recall } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { RecallService } from './service.ts'

export const recallRoutes = (mount: Mount, recalls: RecallService): void => {
  // Contract 4.8: an internal failure is no memories, also when it is the key that cannot be read.
  mount(recall, ({ caller, body }) => recalls.recall(caller, body), { memories: [], count: 0 })
}
