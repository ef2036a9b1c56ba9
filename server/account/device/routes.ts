import {
  answerDeviceLogin,
  deviceQuestion,
  pollDeviceLogin,
  startDeviceLogin,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { DeviceService } from './service.ts'

export const deviceRoutes = (mount: Mount, devices: DeviceService): void => {
  mount(startDeviceLogin, ({ body, client }) => devices.start(body, client))
  mount(pollDeviceLogin, async ({ body, refreshCookie }) => {
    const { answer, refreshToken } = await devices.poll(body.device_code)
    if (refreshToken) refreshCookie.set(refreshToken)
    return answer
  })
  mount(deviceQuestion, ({ caller, query, client }) =>
    devices.question(caller, query.user_code, client),
  )
  mount(answerDeviceLogin, ({ caller, body, client }) => devices.answer(caller, body, client))
}
