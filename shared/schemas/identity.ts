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
