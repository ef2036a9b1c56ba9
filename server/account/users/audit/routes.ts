import { auditLog } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { AuditService } from './service.ts'

export const auditRoutes = (mount: Mount, audit: AuditService): void => {
  mount(auditLog, ({ caller, query }) => audit.list(caller, query))
}
