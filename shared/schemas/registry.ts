import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf } from './common.ts'

export const REGISTRY_TYPES = [
  'action_types',
  'trigger_types',
  'channel_types',
  'condition_ops',
  'signal_types',
] as const
export const RegistryType = OneOf(REGISTRY_TYPES)
export type RegistryType = Static<typeof RegistryType>

/** Contract, section 2. */
export const RegistryEntry = Type.Object({
  name: Type.String({ examples: ['notify'] }),
  version: Type.String({ examples: ['1.0.0'] }),
  category: Type.String({ description: 'What it has to do with.' }),
  handler_kind: Type.String({ description: 'How it comes here: `builtin`, with the server.' }),
  handler_ref: Type.String({ description: 'Where it is in the server.' }),
  privilege_level: Type.String({
    description: '`user` for everybody’s, else the tier that it takes.',
    examples: ['user', 'awakened'],
  }),
  enabled: Type.Boolean(),
  cost_model: Nullable(
    Type.Object({
      metric: Type.String({ description: 'The quota that it counts against.' }),
      units: Type.Integer({ description: 'How much of it each time.' }),
    }),
    { description: 'Null where it costs nothing.' },
  ),
})
export type RegistryEntry = Static<typeof RegistryEntry>

/** Contract, section 2. */
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
    description: 'Why; it is kept in the audit.',
    examples: ['Our network lets no webhooks out for now.'],
  }),
})
export type SwitchHandler = Static<typeof SwitchHandler>
