import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid } from './common.ts'

export const ProactiveKind = OneOf(['reminder', 'question', 'conflict'])
export type ProactiveKind = Static<typeof ProactiveKind>

export const ProactiveIntent = Type.Object({
  intent_id: Uuid(),
  kind: ProactiveKind,
  title: Type.String({ examples: ['call the bank'] }),
  text: Type.String({ description: 'The words of the memories that it comes from.' }),
  due_at: Timestamp({ description: 'Since when there is something to bring up.' }),
  memory_ids: Type.Array(Uuid()),
  anchor_key: Nullable(Type.String(), { description: 'Of a conflict.' }),
  reflex_id: Nullable(Uuid(), { description: 'Of what a reflex tells.' }),
  weight: Type.Number({ description: 'What is weightier comes first; feedback moves it.' }),
  feedback: Nullable(OneOf(['thumbs_up', 'thumbs_down'])),
  state: Type.Literal('open'),
  created_at: Timestamp(),
})
export type ProactiveIntent = Static<typeof ProactiveIntent>

export const ListProactiveIntents = Type.Object({ limit: Limit(20) })

export const ProactiveFeedback = Type.Object({
  intent_id: Type.String(),
  feedback: OneOf(['thumbs_up', 'thumbs_down', 'dismiss', 'snooze']),
})
export type ProactiveFeedback = Static<typeof ProactiveFeedback>
