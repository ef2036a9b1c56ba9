import { adminHistory } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { HistoryService } from './service.ts'

export const historyRoutes = (mount: Mount, history: HistoryService): void => {
  mount(adminHistory, ({ query }) => history.read(query.days))
}
