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

export const MemoryFact = Type.Object(
  {
    fact_id: Uuid(),
    kind: FactKind,
    subject: Type.String({ description: '`self`, or the name of the person as written.' }),
    key: Type.String({
      description: 'The kind of statement about the subject.',
      examples: ['home', 'work.employer', 'preference.coffee'],
    }),
    value: Type.String(),
    polarity: Nullable(OneOf(['like', 'dislike']), { description: 'For a preference.' }),
    due_at: Nullable(Timestamp(), { description: 'For a reminder with a time.' }),
    quote: Type.String({ description: 'The passage of the memory that states the fact.' }),
    extracted_by: Type.String({
      description: '`rules`, the name of the model, or `choice` for a value chosen by the user.',
    }),
  },
  { $id: 'MemoryFact' },
)
export type MemoryFact = Static<typeof MemoryFact>

export const MemoryFacts = Type.Object({
  facts: Type.Array(MemoryFact),
  pending: Type.Boolean({
    description: 'Whether extraction of the current version is still queued.',
  }),
})
export type MemoryFacts = Static<typeof MemoryFacts>
