import {
  decideDeviceLogin,
  pendingDeviceLogin,
  pollDeviceLogin,
  startDeviceLogin,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { DeviceApprovalService } from './approval.ts'
import type { DeviceLoginService } from './service.ts'

export const deviceRoutes = (
  mount: Mount,
  logins: DeviceLoginService,
  approvals: DeviceApprovalService,
): void => {
  mount(startDeviceLogin, ({ body, client }) => logins.start(body, client))
  mount(pollDeviceLogin, async ({ body, refreshCookie }) => {
    const { response, refreshToken } = await logins.poll(body.device_code)
    if (refreshToken) refreshCookie.set(refreshToken)
    return response
  })
  mount(pendingDeviceLogin, ({ caller, query, client }) =>
    approvals.question(caller, query.user_code, client),
  )
  mount(decideDeviceLogin, ({ caller, body, client }) => approvals.answer(caller, body, client))
}
