import { type Static, Type } from '@sinclair/typebox'
import { AnyObject, Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint, events } from './endpoint.ts'
import { Memory } from './memories.ts'

/** The kinds of activity, with the noun first, so that a filter can name a group. */
export const ACTIVITY_KINDS = [
  'recall',
  'context',
  'memory.stored',
  'memory.changed',
  'memory.superseded',
  'memory.forgotten',
  'memory.erased',
  'memory.restored',
  'fact.found',
  'contradiction.found',
  'reminder.found',
  'conversation.captured',
  'conversation.forgotten',
  'conversation.restored',
  'import.finished',
  'message.received',
  'message.sent',
  'session.started',
  'session.failed',
  'key.created',
  'key.revoked',
  'account.changed',
  'reflex.fired',
  'reflex.failed',
  'confirmation.waiting',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

const ActivityId = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,18}$', description, examples: ['4711'] })

/** The longest text of a memory in a list, in characters. */
export const ACTIVITY_EXCERPT_LENGTH = 300

export const ActivityMemory = Type.Object({
  memory_id: Uuid(),
  score: Type.Optional(Type.Number({ description: 'That of a recall.' })),
  excerpt: Nullable(
    Type.String({
      description: `Its first ${ACTIVITY_EXCERPT_LENGTH} characters as they are now; null when it is deleted.`,
    }),
  ),
})
export type ActivityMemory = Static<typeof ActivityMemory>

const properties = {
  id: ActivityId('Ascending in the order of the events.'),
  kind: OneOf(ACTIVITY_KINDS),
  created_at: Timestamp(),
  user_id: Uuid({ description: 'The user who did it, or whose credential an assistant used.' }),
  key_id: Nullable(Uuid({ description: 'The API key of the request.' })),
  client: Nullable(
    Type.String({
      description:
        'The assistant or program, by the name that it gives itself, or that of its API key; null for the user.',
      examples: ['codex'],
    }),
  ),
  session: Nullable(
    Type.String({ description: 'The conversation in that program, where it is known.' }),
  ),
  question: Nullable(
    Type.String({
      description:
        'The question of a recall or the message that context was asked for. Null for other members of an organization, and where questions are not kept.',
    }),
  ),
  subject: Nullable(
    Type.String({
      description:
        'The name of a reflex, of the other person of a message as it is now (`deleted` after its deletion), or of the fact that a contradiction is about.',
    }),
  ),
  count: Type.Integer({
    description: 'The number of memories read, written or deleted, or of facts found.',
  }),
  took_ms: Nullable(
    Type.Number({
      description: 'How long the search for memories took, in milliseconds; null for other events.',
      examples: [4.2],
    }),
  ),
}

export const ActivityEvent = Type.Object(
  {
    ...properties,
    memories: Type.Array(ActivityMemory, { maxItems: 3, description: 'The first three of them.' }),
  },
  { $id: 'ActivityEvent' },
)
export type ActivityEvent = Static<typeof ActivityEvent>

export const ActivityDetail = Type.Object({
  ...properties,
  memories: Type.Array(
    Type.Object({
      memory_id: Uuid(),
      memory: Nullable(Memory, { description: 'As it is now; null when it is deleted.' }),
      feedback_id: Nullable(Uuid(), {
        description: 'The mark of the memory as not relevant to the question of the event.',
      }),
      score: Type.Optional(Type.Number()),
      explanation: Type.Optional(
        AnyObject({ description: 'The parts of the score at that time.' }),
      ),
    }),
    { description: 'All of them, at most 100, best first.' },
  ),
})
export type ActivityDetail = Static<typeof ActivityDetail>

export const ActivityFilter = {
  kind: Type.Optional(
    Type.String({
      maxLength: 50,
      pattern: '^[a-z.]+$',
      description: 'Only this kind, or with a point at the end, the kinds of this group.',
      examples: ['memory.'],
    }),
  ),
  client: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only of this assistant or program.',
    }),
  ),
  session: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only of this conversation.' }),
  ),
}

/** Whether an event passes the filter of a stream or a list. */
export const matchesActivity = (
  { kind, client, session }: { kind?: string; client?: string; session?: string },
  event: Pick<ActivityEvent, 'kind' | 'client' | 'session'>,
): boolean =>
  (!kind || event.kind === kind || (kind.endsWith('.') && event.kind.startsWith(kind))) &&
  (!client || event.client === client) &&
  (!session || event.session === session)

export const ActivityPage = Type.Object({
  events: Type.Array(ActivityEvent),
  next_cursor: Nullable(
    ActivityId('Pass it as `before` to get the next page; null on the last page.'),
  ),
})
export type ActivityPage = Static<typeof ActivityPage>

const tag = 'Activity'

export const listActivity = endpoint({
  name: 'listActivity',
  method: 'GET',
  path: '/api/events',
  tag,
  summary: 'List what was read from the memory and written to it, newest first; or follow it',
  credential: 'bearer',
  query: Type.Object({
    ...ActivityFilter,
    since: Type.Optional(Timestamp({ description: 'Only events at or after this time.' })),
    until: Type.Optional(Timestamp({ description: 'Only events before this time.' })),
    before: Type.Optional(ActivityId('Only events before this one.')),
    after: Type.Optional(
      ActivityId(
        'A stream begins after this event, as with the header `Last-Event-ID`. Default: with what happens from now on.',
      ),
    ),
    limit: PageSize(50),
  }),
  success: [200, ActivityPage],
  streamed: events({
    ready: Type.Object({
      after: ActivityId('The event after which the stream begins.'),
      recorded: Type.Boolean({
        description: 'Whether this server records events; without, none will follow.',
      }),
    }),
    activity: ActivityEvent,
  }),
})

export const getActivity = endpoint({
  name: 'getActivity',
  method: 'GET',
  path: '/api/events/{event_id}',
  tag,
  summary: 'Get one event with its memories and the explanation of their scores',
  credential: 'bearer',
  params: Type.Object({ event_id: ActivityId('The id of the event.') }),
  success: [200, ActivityDetail],
  errors: { 404: ['event_not_found'] },
})

export const ActivitySettings = Type.Object({
  keeps_questions: Type.Boolean({
    description: 'Whether the texts of your questions are kept with their events.',
  }),
  is_fixed: Type.Boolean({
    description: 'Whether this server keeps no questions, whatever is chosen.',
  }),
})
export type ActivitySettings = Static<typeof ActivitySettings>

export const getActivitySettings = endpoint({
  name: 'getActivitySettings',
  method: 'GET',
  path: '/api/events/settings',
  tag,
  summary: 'Get whether your questions are kept',
  credential: 'bearer',
  success: [200, ActivitySettings],
})

export const setActivitySettings = endpoint({
  name: 'setActivitySettings',
  method: 'PUT',
  path: '/api/events/settings',
  tag,
  summary: 'Choose whether your questions are kept; `false` also erases those that were',
  credential: 'bearer',
  body: Type.Object({ keeps_questions: Type.Boolean() }),
  isIdempotent: true,
  success: [200, ActivitySettings],
  affects: ['getActivitySettings', 'listActivity', 'getActivity'],
})
