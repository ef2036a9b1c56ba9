import { adminQueues } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { QueueService } from './service.ts'

export const queueRoutes = (mount: Mount, queues: QueueService): void => {
  mount(adminQueues, () => queues.read())
}
