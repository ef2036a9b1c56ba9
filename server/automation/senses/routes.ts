import {
  createSenseDevice,
  deleteSenseDevice,
  getSenseDevice,
  listSenseDevices,
  listSignals,
  sendSignal,
  updateSenseDevice,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { SenseService } from './service.ts'

export const senseRoutes = (mount: Mount, senses: SenseService): void => {
  mount(listSenseDevices, ({ caller }) => senses.list(caller))
  mount(createSenseDevice, ({ caller, body }) => senses.create(caller, body))
  mount(getSenseDevice, ({ caller, params }) => senses.get(caller, params.device_id))
  mount(updateSenseDevice, async ({ caller, params, body }) => {
    await senses.update(caller, params.device_id, body)
    return {}
  })
  mount(deleteSenseDevice, async ({ caller, params }) => {
    await senses.delete(caller, params.device_id)
    return undefined
  })
  mount(sendSignal, ({ caller, params, body }) => senses.send(caller, params.device_id, body))
  mount(listSignals, ({ caller, params, query }) => senses.signals(caller, params.device_id, query))
}
