import { listAnchors, listConflicts, resolveConflict } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { IdentityService } from './service.ts'

export const identityRoutes = (mount: Mount, identity: IdentityService): void => {
  mount(listAnchors, ({ caller }) => identity.anchors(caller))
  mount(listConflicts, ({ caller }) => identity.conflicts(caller))
  mount(resolveConflict, ({ caller, body }) => identity.resolve(caller, body))
}
