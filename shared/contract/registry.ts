import { type Static, Type } from '@sinclair/typebox'
import { SUBSCRIPTION_TIERS } from '../tiers.ts'
import { Nullable, OneOf, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const REGISTRY_TYPES = [
  'action_types',
  'trigger_types',
  'channel_types',
  'condition_ops',
  'signal_types',
] as const
export const RegistryType = OneOf(REGISTRY_TYPES)
export type RegistryType = Static<typeof RegistryType>

export const RegistryEntry = Type.Object({
  name: Type.String({ examples: ['notify'] }),
  version: Type.String({ examples: ['1.0.0'] }),
  category: Type.String({ description: 'The topic of the handler.' }),
  handler_kind: Type.String({
    description: 'The origin of the handler: `builtin` for those of the server.',
  }),
  handler_ref: Type.String({ description: 'The location of the handler in the server.' }),
  privilege_level: Type.String({
    description: '`user` if every user may use it, otherwise the required tier.',
    examples: ['user', ...SUBSCRIPTION_TIERS.slice(0, 1)],
  }),
  enabled: Type.Boolean(),
  cost_model: Nullable(
    Type.Object({
      metric: Type.String({ description: 'The quota that is consumed.' }),
      units: Type.Integer({ description: 'Units consumed per run.' }),
    }),
    { description: 'Null if the handler is free.' },
  ),
})
export type RegistryEntry = Static<typeof RegistryEntry>

export const RegistryListing = Type.Object({
  registry_type: RegistryType,
  count: Type.Integer(),
  entries: Type.Array(RegistryEntry),
})
export type RegistryListing = Static<typeof RegistryListing>

export const SwitchHandler = Type.Object({
  enabled: Type.Boolean(),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    description: 'The reason. It is recorded in the audit log.',
    examples: ['Outgoing webhooks are blocked by the firewall.'],
  }),
})
export type SwitchHandler = Static<typeof SwitchHandler>

const tag = 'Admin'

export const listRegistry = endpoint({
  name: 'listRegistry',
  method: 'GET',
  path: '/api/admin/registry',
  tag,
  summary: 'List the automation handlers of a type',
  credential: 'bearer',
  adminOnly: true,
  query: Type.Object({
    registry_type: RegistryType,
    include_disabled: withDefault(
      Type.Boolean({ description: 'Include disabled handlers.' }),
      false,
    ),
  }),
  success: [200, RegistryListing],
})

export const switchHandler = endpoint({
  name: 'switchHandler',
  method: 'POST',
  path: '/api/admin/registry/{registry_type}/{name}/state',
  tag,
  summary: 'Enable or disable a handler; reflexes wait while it is disabled',
  credential: 'bearer',
  adminOnly: true,
  params: Type.Object({
    registry_type: Type.String({ examples: ['action_types'] }),
    name: Type.String({ examples: ['notify'] }),
  }),
  body: SwitchHandler,
  success: [200, Type.Null()],
  affects: ['listRegistry'],
  errors: { 404: ['handler_not_found'] },
})
