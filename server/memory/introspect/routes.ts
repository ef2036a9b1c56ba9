import { memoryStatistics } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { IntrospectService } from './service.ts'

export const introspectRoutes = (mount: Mount, introspect: IntrospectService): void => {
  mount(memoryStatistics, ({ caller }) => introspect.statistics(caller))
}
