import { adminAuditLog } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { AuditOverviewService } from './service.ts'

export const auditOverviewRoutes = (mount: Mount, audit: AuditOverviewService): void => {
  mount(adminAuditLog, ({ query }) => audit.list(query))
}
