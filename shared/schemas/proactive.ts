import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'

export const ProactiveKind = OneOf(['reminder', 'question', 'conflict'])
export type ProactiveKind = Static<typeof ProactiveKind>

export const ProactiveIntent = Type.Object(
  {
    intent_id: Uuid(),
    kind: ProactiveKind,
    title: Type.String({ examples: ['call the bank'] }),
    text: Type.String({ description: 'The text of the source memories.' }),
    due_at: Timestamp({ description: 'When the topic became due.' }),
    memory_ids: Type.Array(Uuid()),
    anchor_key: Nullable(Type.String(), { description: 'For a conflict.' }),
    reflex_id: Nullable(Uuid(), { description: 'For a notification of a reflex.' }),
    weight: Type.Number({ description: 'The sort key, highest first. Feedback changes it.' }),
    feedback: Nullable(OneOf(['thumbs_up', 'thumbs_down'])),
    state: Type.Literal('open'),
    created_at: Timestamp(),
  },
  { $id: 'ProactiveIntent' },
)
export type ProactiveIntent = Static<typeof ProactiveIntent>

export const UpcomingReminder = Type.Object(
  {
    title: Type.String({ examples: ['call the bank'] }),
    text: Type.String({ description: 'The text of the source memory.' }),
    due_at: Timestamp({ description: 'The next time at which the reminder is due.' }),
    memory_ids: Type.Array(Uuid()),
  },
  { $id: 'UpcomingReminder' },
)
export type UpcomingReminder = Static<typeof UpcomingReminder>

export const ListProactiveIntents = Type.Object({ limit: PageSize(20) })

export const ProactiveFeedback = Type.Object({
  intent_id: Type.String({ examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'] }),
  feedback: OneOf(['thumbs_up', 'thumbs_down', 'dismiss', 'snooze']),
})
export type ProactiveFeedback = Static<typeof ProactiveFeedback>
