import type { RegistryEntry, RegistryType } from '../../../shared/schemas/registry.ts'

/** What the registry tells of something that automation runs. */
export interface Handler {
  name: string
  version: string
  category: string
  /** Where it is in the server. */
  ref: string
  /** The tier that it takes; everybody may use it, if left out. */
  tier?: 'awakened' | 'conscious'
  /** The quota that it counts against. */
  cost?: { metric: string; units: number }
}

/** Names a handler among all. */
export type HandlerKey = `${RegistryType}/${string}`

export const keyOf = (type: RegistryType, name: string): HandlerKey => `${type}/${name}`

/** In words, for whoever wanted to use it. */
export const wordsFor = (key: HandlerKey): string => {
  const [type = '', name] = key.split('/')
  const noun = type
    .replace(/s$/, '')
    .replaceAll('_', ' ')
    .replace(/ op$/, '')
    .replace(/ type$/, '')
  return `the ${noun} ${name}`
}

export const present = (handler: Handler, isEnabled: boolean): RegistryEntry => ({
  name: handler.name,
  version: handler.version,
  category: handler.category,
  handler_kind: 'builtin',
  handler_ref: handler.ref,
  privilege_level: handler.tier ?? 'user',
  enabled: isEnabled,
  cost_model: handler.cost ?? null,
})
