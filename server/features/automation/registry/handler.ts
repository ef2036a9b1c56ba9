import type { RegistryEntry, RegistryType } from '../../../../shared/contract/registry.ts'
import type { TierFeature } from '../../../../shared/tiers.ts'
import type { Db } from '../../../platform/db/database.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Gates } from '../../../usage/gates.ts'
import { listDisabledHandlers } from './store.ts'

export const registryError = defineErrors({
  handler_not_found: { status: 404, detail: 'Handler not found' },
  handler_disabled: (handler: string) => ({
    status: 409,
    detail: `${handler.replace(/^t/, 'T')} is switched off by an admin; try again later`,
  }),
})

/** An action, trigger, channel, condition operator or signal type, as the registry lists it. */
export interface RegistryHandler {
  name: string
  version: string
  category: string
  /** Its location, as the API returns it; stable, wherever the code moves. */
  ref: string
  /** The feature that a user's tier must include; none if left out. */
  feature?: TierFeature
  /** The quota it counts against; none if left out. */
  cost?: { metric: string; units: number }
}

/** Identifies a handler across all types. */
export type HandlerKey = `${RegistryType}/${string}`

export const keyOf = (type: RegistryType, name: string): HandlerKey => `${type}/${name}`

/** The handler in words, such as `the channel email`. */
export const describeHandler = (key: HandlerKey): string => {
  const [type = '', name] = key.split('/')
  const noun = type
    .replace(/s$/, '')
    .replaceAll('_', ' ')
    .replace(/ op$/, '')
    .replace(/ type$/, '')
  return `the ${noun} ${name}`
}

export const presentHandler = (
  handler: RegistryHandler,
  isEnabled: boolean,
  gates: Pick<Gates, 'lowestWith'>,
): RegistryEntry => ({
  name: handler.name,
  version: handler.version,
  category: handler.category,
  handler_kind: 'builtin',
  handler_ref: handler.ref,
  privilege_level: handler.feature ? gates.lowestWith(handler.feature) : 'user',
  enabled: isEnabled,
  cost_model: handler.cost ?? null,
})

/** The handlers that admins have switched off. */
export const disabledHandlers = async (db: Db): Promise<ReadonlySet<HandlerKey>> =>
  new Set(
    (await listDisabledHandlers(db)).map(({ registryType, name }) => keyOf(registryType, name)),
  )

/** @throws ApiError 409 if an admin has switched off one of the handlers. */
export const checkHandlersEnabled = async (db: Db, keys: readonly HandlerKey[]): Promise<void> => {
  const disabled = await disabledHandlers(db)
  const found = keys.find((key) => disabled.has(key))
  if (found) throw registryError('handler_disabled', describeHandler(found))
}
