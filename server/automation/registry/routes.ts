import { listRegistry, switchHandler } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Registry } from './service.ts'

export const registryRoutes = (mount: Mount, registry: Registry): void => {
  mount(listRegistry, ({ query }) => registry.list(query.registry_type, query.include_disabled))
  mount(switchHandler, async ({ caller, params, body, client }) => {
    await registry.switch(caller, { type: params.registry_type, name: params.name }, body, client)
    return null
  })
}
