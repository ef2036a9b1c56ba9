import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'

export const CognitiveEngine = Type.Object({
  engine: Type.String({ examples: ['graph'] }),
  about: Type.String({ description: 'What it does.' }),
  enabled: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why it was switched the last time.' })),
  changed_at: Nullable(Timestamp()),
  pending: Type.Integer({ description: 'How many memories wait for it.' }),
})
export type CognitiveEngine = Static<typeof CognitiveEngine>

export const CognitiveEngines = Type.Object({ engines: Type.Array(CognitiveEngine) })
export type CognitiveEngines = Static<typeof CognitiveEngines>

export const SwitchEngine = Type.Object({
  enabled: Type.Boolean(),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    trim: true,
    description: 'Why; it is kept in the audit.',
    examples: ['The model is being replaced.'],
  }),
})
export type SwitchEngine = Static<typeof SwitchEngine>
