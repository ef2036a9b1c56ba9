import {
  REGISTRY_TYPES,
  type RegistryListing,
  type RegistryType,
  type SwitchHandler,
} from '../../../shared/schemas/registry.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { type Handler, type HandlerKey, keyOf, present } from './handler.ts'
import { putHandlerState } from './store.ts'
import { switchedOff } from './switches.ts'

/** Notes what an admin did to a handler. */
export type RecordHandlerSwitch = (
  tx: Db,
  entry: {
    userId: string
    action: 'handler.switched'
    subject: HandlerKey
    ip: string
    details: { enabled: boolean; reason: string }
  },
) => Promise<void>

export type Handlers = Readonly<Record<RegistryType, readonly Handler[]>>

export type Registry = ReturnType<typeof createRegistry>

/** Lets admins see what automation runs, and switch it. */
export const createRegistry = (
  { db }: Database,
  handlers: Handlers,
  recordSwitch: RecordHandlerSwitch,
  /** What waits for a handler begins when it is switched on. */
  sweep: () => Promise<void>,
) => ({
  /** Those of one type by their names; without those that are switched off, unless asked for. */
  async list(type: RegistryType, includeDisabled: boolean): Promise<RegistryListing> {
    const off = await switchedOff(db)
    const entries = handlers[type]
      .map((handler) => present(handler, !off.has(keyOf(type, handler.name))))
      .filter(({ enabled }) => enabled || includeDisabled)
    return { registry_type: type, count: entries.length, entries }
  },

  /**
   * What is switched off is not run: reflexes that need it wait, and none can be made with it.
   * @throws ApiError 404 for a type or a handler that there is not.
   */
  async switch(
    caller: Caller,
    { type, name }: { type: string; name: string },
    { enabled, reason }: SwitchHandler,
    client: Client,
  ): Promise<void> {
    const known = REGISTRY_TYPES.find((each) => each === type)
    if (!known || !handlers[known].some((handler) => handler.name === name))
      throw new ApiError(404, 'Handler not found')
    await db.transaction(async (tx) => {
      await putHandlerState(tx, {
        registryType: known,
        name,
        isEnabled: enabled,
        reason,
        changedBy: caller.userId,
      })
      await recordSwitch(tx, {
        userId: caller.userId,
        action: 'handler.switched',
        subject: keyOf(known, name),
        ip: client.ip,
        details: { enabled, reason },
      })
    })
    if (enabled) await sweep()
  },
})
