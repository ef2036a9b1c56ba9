import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'

export const FactKind = OneOf([
  'name',
  'home',
  'work',
  'preference',
  'date',
  'relation',
  'reminder',
])
export type FactKind = Static<typeof FactKind>

export const MemoryFact = Type.Object({
  fact_id: Uuid(),
  kind: FactKind,
  subject: Type.String({ description: '`self`, or whom it is about, as written.' }),
  key: Type.String({
    description: 'What it says of them.',
    examples: ['home', 'work.employer', 'preference.coffee'],
  }),
  value: Type.String(),
  polarity: Nullable(OneOf(['like', 'dislike']), { description: 'Of a preference.' }),
  due_at: Nullable(Timestamp(), { description: 'Of a reminder that names a time.' }),
  quote: Type.String({ description: 'The words of the memory that it was read from.' }),
  extracted_by: Type.String({
    description: '`rules`, the name of the model, or `choice` for what a person chose.',
  }),
})
export type MemoryFact = Static<typeof MemoryFact>

export const MemoryFacts = Type.Object({
  facts: Type.Array(MemoryFact),
  pending: Type.Boolean({
    description: 'The memory has not been read yet as it is now; look again shortly.',
  }),
})
export type MemoryFacts = Static<typeof MemoryFacts>
