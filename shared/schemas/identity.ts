import { type Static, Type } from '@sinclair/typebox'
import { Timestamp, Uuid } from './common.ts'

export const Anchor = Type.Object({
  anchor_key: Type.String({ examples: ['name', 'home', 'work.employer'] }),
  value: Type.String(),
  memory_id: Uuid({ description: 'The latest memory that says so.' }),
  quote: Type.String({ description: 'Its words.' }),
  since: Timestamp({ description: 'When it was first said, after any other value.' }),
  history: Type.Array(Type.Object({ value: Type.String(), memory_id: Uuid(), at: Timestamp() }), {
    description: 'What was said before, the latest first.',
  }),
})
export type Anchor = Static<typeof Anchor>

export const Anchors = Type.Object({ anchors: Type.Array(Anchor) })
export type Anchors = Static<typeof Anchors>

export const IdentityConflict = Type.Object({
  anchor_key: Type.String({ examples: ['home'] }),
  values: Type.Array(
    Type.Object({
      value: Type.String(),
      memory_id: Uuid({ description: 'The latest memory that says so.' }),
      quote: Type.String({ description: 'Its words.' }),
      at: Timestamp({ description: 'When it was said.' }),
    }),
    { description: 'What memories say, the latest first; that one is the anchor meanwhile.' },
  ),
  since: Timestamp({ description: 'When the first of them was contradicted.' }),
})
export type IdentityConflict = Static<typeof IdentityConflict>

export const IdentityConflicts = Type.Object({ conflicts: Type.Array(IdentityConflict) })
export type IdentityConflicts = Static<typeof IdentityConflicts>

export const ResolveConflict = Type.Object({
  anchor_key: Type.String({ minLength: 1, maxLength: 200 }),
  chosen_value: Type.Unknown({
    description: 'One of the values, or another: a string of up to 200 characters, or a number.',
  }),
})
export type ResolveConflict = Static<typeof ResolveConflict>
