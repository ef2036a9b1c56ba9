import { listEngines, switchEngine } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { EngineControl } from './control.ts'

export const engineRoutes = (mount: Mount, control: EngineControl): void => {
  mount(listEngines, async () => ({ engines: await control.list() }))
  mount(switchEngine, async ({ caller, params, body, client }) => {
    await control.switch(caller, params.engine, body, client)
    return null
  })
}
