import { listRegistry, switchHandler } from '../../../../shared/contract/index.ts'
import {
  REGISTRY_TYPES,
  type RegistryListing,
  type RegistryType,
  type SwitchHandler,
} from '../../../../shared/contract/registry.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { createSwitch, type RecordSwitch } from '../../../platform/switches.ts'
import type { Gates } from '../../../usage/gates.ts'
import {
  disabledHandlers,
  keyOf,
  presentHandler,
  type RegistryHandler,
  registryError,
} from './handler.ts'
import { upsertHandlerState } from './store.ts'

export type RecordHandlerSwitch = RecordSwitch<'handler.switched'>

type Handlers = Readonly<Record<RegistryType, readonly RegistryHandler[]>>

export type Registry = ReturnType<typeof createRegistry>

/** Lists the handlers of automation, and lets admins switch them. */
export const createRegistry = (
  database: Database,
  handlers: Handlers,
  {
    gates,
    recordSwitch,
    startWaiting,
  }: {
    gates: Pick<Gates, 'lowestWith'>
    recordSwitch: RecordHandlerSwitch
    /** Starts the firings that waited for a handler. */
    startWaiting: () => Promise<void>
  },
) => {
  const switchHandler = createSwitch(database, 'handler.switched', recordSwitch, startWaiting)

  return {
    async list(type: RegistryType, includeDisabled: boolean): Promise<RegistryListing> {
      const disabled = await disabledHandlers(database.db)
      const entries = handlers[type]
        .map((handler) => presentHandler(handler, !disabled.has(keyOf(type, handler.name)), gates))
        .filter(({ enabled }) => enabled || includeDisabled)
      return { registry_type: type, count: entries.length, entries }
    },

    /**
     * A disabled handler does not run: reflexes that need it wait, and none can be created with it.
     * @throws ApiError 404 for an unknown type or handler.
     */
    async switch(
      caller: Caller,
      { type, name }: { type: string; name: string },
      body: SwitchHandler,
      client: RequestClient,
    ): Promise<void> {
      const registryType = REGISTRY_TYPES.find((each) => each === type)
      if (!registryType || !handlers[registryType].some((handler) => handler.name === name))
        throw registryError('handler_not_found')
      const subject = keyOf(registryType, name)
      await switchHandler({ caller, client, subject }, body, (tx, state) =>
        upsertHandlerState(tx, { registryType, name, ...state }),
      )
    },
  }
}

export const registryRoutes = (mount: Mount, registry: Registry): void => {
  mount(listRegistry, ({ query }) => registry.list(query.registry_type, query.include_disabled))
  mount(switchHandler, async ({ caller, params, body, client }) => {
    await registry.switch(caller, { type: params.registry_type, name: params.name }, body, client)
    return null
  })
}
