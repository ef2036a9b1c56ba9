import type { RegistryEntry, RegistryType } from '../../../shared/contract/registry.ts'
import type { Feature } from '../../../shared/tiers.ts'
import type { Gates } from '../../billing/gates.ts'

/** An action, trigger, channel, condition operator or signal type, as the registry lists it. */
export interface RegistryHandler {
  name: string
  version: string
  category: string
  /** Its module in the server. */
  ref: string
  /** The feature that a user's tier must include; none if left out. */
  feature?: Feature
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
