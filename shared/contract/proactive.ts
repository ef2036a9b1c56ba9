import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

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

export const listProactiveIntents = endpoint({
  name: 'listProactiveIntents',
  method: 'GET',
  path: '/api/proactive/intents',
  tag: 'Proactive',
  summary: 'List topics to bring up: due reminders, conflicts and open questions',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ListProactiveIntents,
  success: [200, Type.Array(ProactiveIntent)],
})

export const listUpcomingReminders = endpoint({
  name: 'listUpcomingReminders',
  method: 'GET',
  path: '/api/proactive/upcoming',
  tag: 'Proactive',
  summary: 'List the reminders that are not due yet, next first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ListProactiveIntents,
  success: [200, Type.Array(UpcomingReminder)],
})

export const giveFeedback = endpoint({
  name: 'giveFeedback',
  method: 'POST',
  path: '/api/proactive/feedback',
  tag: 'Proactive',
  summary: 'Dismiss, snooze or rate a topic',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ProactiveFeedback,
  success: [200, Type.Object({})],
  affects: ['listProactiveIntents'],
  errors: { 404: ['intent_not_found'] },
})
