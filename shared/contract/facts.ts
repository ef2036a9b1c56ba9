import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Trust } from './memories.ts'

export const FACT_KINDS = [
  'name',
  'home',
  'work',
  'preference',
  'date',
  'relation',
  'reminder',
] as const
export const FactKind = OneOf(FACT_KINDS)
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
    trust: Trust,
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

export const memoryFacts = endpoint({
  name: 'memoryFacts',
  method: 'GET',
  path: '/api/memories/{memory_id}/facts',
  tag: 'Memory',
  summary:
    'List the facts extracted from a memory: names, homes, work, preferences, dates, relations, reminders',
  credential: 'bearer',
  params: Type.Object({ memory_id: Uuid() }),
  success: [200, MemoryFacts],
  errors: { 404: ['memory_not_found'] },
})
