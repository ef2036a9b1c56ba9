import {
  acceptInvite,
  createInvite,
  declineInvite,
  listInvites,
  withdrawInvite,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { InviteAnswerService } from './acceptance.ts'
import type { InviteService } from './service.ts'

export const inviteRoutes = (
  mount: Mount,
  invites: InviteService,
  answers: InviteAnswerService,
): void => {
  mount(createInvite, ({ caller, params, body }) => invites.create(caller, params.org_id, body))
  mount(listInvites, ({ caller, params }) => invites.list(caller, params.org_id))
  mount(withdrawInvite, async ({ caller, params }) => {
    await invites.withdraw(caller, params.org_id, params.invite_id)
    return undefined
  })
  mount(acceptInvite, ({ caller, body }) => answers.accept(caller, body.token))
  mount(declineInvite, async ({ body }) => {
    await answers.decline(body.token)
    return undefined
  })
}
