import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { MemoryType } from './memory.ts'
import { SignalType } from './senses.ts'

const contains = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 200,
  description: 'Only where the text has these words in it, in capitals or not.',
})

export const MESSAGE_SOURCES = ['chat', 'talk', 'dm'] as const

const SignalTrigger = Type.Object(
  {
    type: Type.Literal('signal'),
    device_id: Type.Optional(Nullable(Uuid(), { description: 'Any device, if left out.' })),
    signal_type: Type.Optional(Nullable(SignalType, { description: 'Any, if left out.' })),
  },
  { description: 'A signal of a device.' },
)

const ScheduleTrigger = Type.Object(
  {
    type: Type.Literal('schedule'),
    at: Type.Optional(Nullable(Timestamp(), { description: 'Once, at this time.' })),
    cron: Type.Optional(
      Nullable(Type.String({ trim: true, maxLength: 100, examples: ['30 7 * * 1-5'] }), {
        description: 'Again and again: minute, hour, day of month, month, day of week.',
      }),
    ),
    timezone: Type.Optional(
      Nullable(Type.String({ trim: true, maxLength: 100, examples: ['Europe/Berlin'] }), {
        description:
          'Of `cron`, and of an `at` without an offset; the one that the person is in, if left out.',
      }),
    ),
  },
  { description: 'A time: either `at` or `cron`.' },
)

const MemoryTrigger = Type.Object(
  {
    type: Type.Literal('memory'),
    memory_type: Type.Optional(Nullable(MemoryType)),
    tags: Type.Optional(
      Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }), {
        description: 'It must have all of these.',
      }),
    ),
    contains: Type.Optional(Nullable(contains, { trim: true })),
  },
  { description: 'A new memory of the person’s; not what is imported or written by a reflex.' },
)

const MessageTrigger = Type.Object(
  {
    type: Type.Literal('message'),
    source: Type.Optional(
      Nullable(OneOf(MESSAGE_SOURCES), {
        description:
          'What the person says in chat, what they or their agents say in talk, or what others write to them; any, if left out.',
      }),
    ),
    contains: Type.Optional(Nullable(contains, { trim: true })),
  },
  { description: 'Something that is said.' },
)

const triggerSchemas = {
  signal: SignalTrigger,
  schedule: ScheduleTrigger,
  memory: MemoryTrigger,
  message: MessageTrigger,
} as const
export type TriggerType = keyof typeof triggerSchemas

/** By its `type`. */
export const Trigger = Type.Union([SignalTrigger, ScheduleTrigger, MemoryTrigger, MessageTrigger])
export type Trigger = Static<typeof Trigger>
export type TriggerOf<T extends TriggerType> = Static<(typeof triggerSchemas)[T]>

export const CONDITION_OPS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'in',
  'exists',
] as const
export type ConditionOp = (typeof CONDITION_OPS)[number]

export const Condition = Type.Object({
  op: OneOf(CONDITION_OPS),
  path: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Where in the event: names and places joined by dots, or a JSON pointer (RFC 6901). Where there is nothing, a condition is not met.',
    examples: ['value.temperature', '/value/temperature'],
  }),
  value: Type.Optional(
    Type.Unknown({
      description:
        'What it is compared with: numbers with numbers, times with times; a list for `in`; for `exists` true or false.',
      examples: [30],
    }),
  ),
})
export type Condition = Static<typeof Condition>

const template = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    description: `${description} \`{{path}}\` stands for what the event has there.`,
    examples: ['It is {{value.temperature}} degrees in the greenhouse.'],
  })

const NOTIFY_CHANNELS = ['inbox', 'chat', 'email'] as const

const NotifyAction = Type.Object(
  {
    type: Type.Literal('notify'),
    channel: OneOf(NOTIFY_CHANNELS, {
      description:
        'What waits for the person (`inbox`), a session of chat, or a mail to their own address.',
    }),
    title: Type.Optional(Nullable(template(200, 'The subject; the reflex’s name, if left out.'))),
    text: template(4_000, 'What it says.'),
  },
  { description: 'Tells the person something.' },
)

const RememberAction = Type.Object(
  {
    type: Type.Literal('remember'),
    content: template(4_000, 'What is remembered.'),
    memory_type: withDefault(MemoryType, 'episodic'),
    tags: withDefault(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }),
      [],
    ),
  },
  { description: 'Remembers something for the person.' },
)

const WebhookAction = Type.Object(
  {
    type: Type.Literal('webhook'),
    channel: withDefault(Type.Literal('webhook'), 'webhook'),
    url: Type.String({
      trim: true,
      minLength: 1,
      maxLength: 2_000,
      description: 'On the public internet.',
      examples: ['https://hooks.example.com/svc'],
    }),
  },
  { description: 'Posts the event to a server of the person’s, signed (Standard Webhooks).' },
)

const actionSchemas = {
  notify: NotifyAction,
  remember: RememberAction,
  webhook: WebhookAction,
} as const
export type ActionType = keyof typeof actionSchemas

/** By its `type`. */
export const Action = Type.Union([NotifyAction, RememberAction, WebhookAction])
export type Action = Static<typeof Action>
export type ActionOf<T extends ActionType> = Static<(typeof actionSchemas)[T]>

/** What triggered a reflex; which fields there are depends on `type`. */
export const TriggerEvent = Type.Object(
  { type: OneOf(['signal', 'schedule', 'memory', 'message']) },
  { additionalProperties: Type.Unknown() },
)
export type TriggerEvent = Static<typeof TriggerEvent> & Record<string, unknown>

const name = Type.String({ trim: true, minLength: 1, maxLength: 100, examples: ['Too hot'] })
const conditions = Type.Array(Condition, { maxItems: 20, description: 'All must be met.' })
const confirm = Type.Boolean({ description: 'Ask the person each time before acting.' })

export const Reflex = Type.Object({
  reflex_id: Uuid(),
  name: Type.String(),
  trigger: Trigger,
  conditions: Type.Array(Condition),
  action: Action,
  confirm: Type.Boolean(),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(
    Type.String({ description: 'Why it was switched off, where that was not the person.' }),
  ),
  skip_always: Type.Boolean({
    description: 'The person answered `skip_always`: it neither asks nor acts until this is false.',
  }),
  next_at: Nullable(Timestamp({ description: 'When its schedule has it fire next.' })),
  last_fired_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Reflex = Static<typeof Reflex>

const WebhookSecret = Nullable(
  Type.String({
    description:
      'What its requests are signed with; shown this once. Null where it has no webhook.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
)

export const ReflexWithSecret = Type.Composite([
  Reflex,
  Type.Object({ webhook_secret: WebhookSecret }),
])
export type ReflexWithSecret = Static<typeof ReflexWithSecret>

export const CreateReflex = Type.Object({
  name,
  trigger: Trigger,
  conditions: withDefault(conditions, []),
  action: Action,
  confirm: withDefault(confirm, false),
  enabled: withDefault(Type.Boolean(), true),
})
export type CreateReflex = Static<typeof CreateReflex>

/** What is left out stays as it is. */
export const UpdateReflex = Type.Object({
  name: Type.Optional(name),
  trigger: Type.Optional(Trigger),
  conditions: Type.Optional(conditions),
  action: Type.Optional(Action),
  confirm: Type.Optional(confirm),
  enabled: Type.Optional(Type.Boolean()),
  skip_always: Type.Optional(
    Type.Boolean({ description: 'False takes back what `skip_always` decided.' }),
  ),
})
export type UpdateReflex = Static<typeof UpdateReflex>

const FIRING_STATES = ['pending', 'waiting', 'done', 'failed', 'skipped', 'limited'] as const

export const Firing = Type.Object({
  firing_id: Uuid(),
  reflex_id: Uuid(),
  state: OneOf(FIRING_STATES, {
    description:
      'About to be done, waiting for the person, done, failed, skipped by the person, or one too many within the hour.',
  }),
  event: TriggerEvent,
  error: Nullable(Type.String({ description: 'Why it is not done.' })),
  attempts: Type.Integer({ description: 'How often it was tried in vain.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Firing = Static<typeof Firing>

export const FiringQuery = Type.Object({
  limit: Limit(50),
  before: Type.Optional(Uuid({ description: 'The last firing of the page before.' })),
})
export type FiringQuery = Static<typeof FiringQuery>

export const Confirmation = Type.Object({
  intent_id: Uuid(),
  reflex_id: Uuid(),
  reflex_name: Type.String(),
  firing_id: Uuid(),
  text: Type.String({ description: 'What is done when it fires.' }),
  event: TriggerEvent,
  created_at: Timestamp(),
  expires_at: Timestamp({ description: 'Then it is skipped.' }),
})
export type Confirmation = Static<typeof Confirmation>

export const ConfirmationQuery = Type.Object({
  limit: Limit(50),
  before: Type.Optional(Uuid({ description: 'The last confirmation of the page before.' })),
})
export type ConfirmationQuery = Static<typeof ConfirmationQuery>

/** Contract 4.7. */
export const DecideConfirmation = Type.Object({
  decision: OneOf(['fire', 'skip_once', 'skip_always']),
})
export type DecideConfirmation = Static<typeof DecideConfirmation>
export type ConfirmationDecision = DecideConfirmation['decision']

export const NewWebhookSecret = Type.Object({ webhook_secret: Type.String() })
export type NewWebhookSecret = Static<typeof NewWebhookSecret>
