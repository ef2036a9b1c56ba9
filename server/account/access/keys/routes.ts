import { createKey, listKeys, revokeKey } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { KeyService } from './service.ts'

export const keyRoutes = (mount: Mount, keys: KeyService): void => {
  mount(createKey, ({ caller, body }) => keys.create(caller, body))
  mount(listKeys, ({ caller }) => keys.list(caller))
  mount(revokeKey, async ({ caller, params }) => {
    await keys.revoke(caller, params.key_id)
    return undefined
  })
}
