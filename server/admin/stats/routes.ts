import { adminStats } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { StatsService } from './service.ts'

export const statsRoutes = (mount: Mount, stats: StatsService): void => {
  mount(adminStats, () => stats.read())
}
