import { createShare, deleteShare, getShare, listShares } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ShareService } from './service.ts'

export const shareRoutes = (mount: Mount, shares: ShareService): void => {
  mount(createShare, ({ caller, body }) => shares.create(caller, body))
  mount(listShares, ({ caller, query }) => shares.list(caller, query))
  mount(getShare, ({ params, query }) => shares.show(params.token, query))
  mount(deleteShare, async ({ caller, params }) => {
    await shares.revoke(caller, params.token)
    return undefined
  })
}
