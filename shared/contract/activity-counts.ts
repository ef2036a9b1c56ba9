import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Activity'

/** The newest events that the assistants are counted in. */
export const COUNTED_EVENTS = 100_000

export const ActiveAssistant = Type.Object(
  {
    client: Type.String({ description: 'The name that it gives itself, or that of its API key.' }),
    last_seen_at: Timestamp(),
    recalls: Type.Integer({ description: 'Questions that it asked.' }),
    contexts: Type.Integer({ description: 'Prompts that were given memories for it.' }),
    read: Type.Integer({ description: 'Memories that it was given by both.' }),
    written: Type.Integer({ description: 'Memories that it remembered, captured or imported.' }),
    changed: Type.Integer({ description: 'Memories that it changed, replaced or restored.' }),
    deleted: Type.Integer({ description: 'Memories that it deleted or erased.' }),
    key_ids: Type.Array(Uuid(), { description: 'The API keys of its requests.' }),
  },
  { $id: 'ActiveAssistant' },
)
export type ActiveAssistant = Static<typeof ActiveAssistant>

export const listAssistants = endpoint({
  name: 'listAssistants',
  method: 'GET',
  path: '/api/events/assistants',
  tag,
  summary: `Count what each assistant read and wrote, in the newest ${COUNTED_EVENTS.toLocaleString('en')} events`,
  credential: 'bearer',
  success: [
    200,
    Type.Object({
      assistants: Type.Array(ActiveAssistant, {
        maxItems: 100,
        description: 'The last seen first.',
      }),
    }),
  ],
})

const DayCount = (description: string) => Type.Integer({ description })

export const ActivityDay = Type.Object({
  day: Type.String({ format: 'date', examples: ['2026-01-31'] }),
  recalls: DayCount('Questions.'),
  contexts: DayCount('Prompts that were given memories.'),
  read: DayCount('Memories that both returned.'),
  written: DayCount('Memories that were remembered, captured or imported.'),
  changed: DayCount('Memories that were changed, replaced or restored.'),
  deleted: DayCount('Memories that were deleted or erased.'),
  memories: DayCount('Memories of now that were stored until the end of this day.'),
  recall_ms: Nullable(
    Type.Object({
      median: Type.Number(),
      p95: Type.Number({ description: 'The 95th percentile.' }),
    }),
    {
      description: 'How long the searches for memories took, in milliseconds; null without any.',
    },
  ),
})
export type ActivityDay = Static<typeof ActivityDay>

export const ActivityDays = Type.Object({
  days: Type.Array(ActivityDay, {
    description: 'One row for each day in the time zone of the user, oldest first.',
  }),
  kept_days: Type.Integer({
    description:
      'How many days this server keeps events; of earlier days only `memories` is known. 0: it records none.',
  }),
})
export type ActivityDays = Static<typeof ActivityDays>

export const activityDays = endpoint({
  name: 'activityDays',
  method: 'GET',
  path: '/api/events/days',
  tag,
  summary: `Count what was asked, read and written on each day, in the newest ${COUNTED_EVENTS.toLocaleString('en')} events`,
  credential: 'bearer',
  query: Type.Object({
    days: withDefault(
      Type.Integer({ minimum: 7, maximum: 90, description: 'Number of days, with today.' }),
      30,
    ),
  }),
  success: [200, ActivityDays],
})
