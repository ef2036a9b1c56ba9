import {
  disableUser,
  enableUser,
  getUser,
  listUsers,
  setUserAdmin,
  setUserTier,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { UserAdminService } from './service.ts'

export const userAdminRoutes = (mount: Mount, users: UserAdminService): void => {
  mount(listUsers, ({ query }) => users.list(query))
  mount(getUser, ({ params }) => users.get(params.user_id))
  mount(disableUser, ({ caller, client, params, body }) =>
    users.disable({ caller, client, reason: body.reason }, params.user_id),
  )
  mount(enableUser, ({ caller, client, params, body }) =>
    users.enable({ caller, client, reason: body.reason }, params.user_id),
  )
  mount(setUserTier, ({ caller, client, params, body }) =>
    users.setTier({ caller, client, reason: body.reason }, params.user_id, body),
  )
  mount(setUserAdmin, ({ caller, client, params, body }) =>
    users.setAdmin({ caller, client, reason: body.reason }, params.user_id, body),
  )
}
