import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { MemoryType } from './memories.ts'
import { SignalType } from './senses.ts'

const contains = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 200,
  description: 'Only if the text contains these words, case-insensitive.',
})

export const MESSAGE_SOURCES = ['chat', 'talk', 'dm'] as const

const SignalTrigger = Type.Object(
  {
    type: Type.Literal('signal'),
    device_id: Type.Optional(Nullable(Uuid(), { description: 'Default: every device.' })),
    signal_type: Type.Optional(Nullable(SignalType, { description: 'Default: every type.' })),
  },
  { description: 'Fires on a signal of a device.' },
)

const ScheduleTrigger = Type.Object(
  {
    type: Type.Literal('schedule'),
    at: Type.Optional(Nullable(Timestamp(), { description: 'A single time.' })),
    cron: Type.Optional(
      Nullable(Type.String({ trim: true, maxLength: 100, examples: ['30 7 * * 1-5'] }), {
        description:
          'A recurring time as a cron expression: minute, hour, day of month, month, day of week.',
      }),
    ),
    timezone: Type.Optional(
      Nullable(Type.String({ trim: true, maxLength: 100, examples: ['Europe/Berlin'] }), {
        description:
          'The time zone of `cron`, and of an `at` without an offset. Default: the time zone of the user.',
      }),
    ),
  },
  { description: 'Fires at a time: either `at` or `cron`.' },
)

const MemoryTrigger = Type.Object(
  {
    type: Type.Literal('memory'),
    memory_type: Type.Optional(Nullable(MemoryType)),
    tags: Type.Optional(
      Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }), {
        description: 'The memory must have all of these tags.',
      }),
    ),
    contains: Type.Optional(Nullable(contains, { trim: true })),
  },
  {
    description:
      'Fires on a new memory of the user, except imported ones and those written by a reflex.',
  },
)

const MessageTrigger = Type.Object(
  {
    type: Type.Literal('message'),
    source: Type.Optional(
      Nullable(OneOf(MESSAGE_SOURCES), {
        description:
          '`chat`: messages of the user; `talk`: messages of the user’s agents; `dm`: direct messages to the user. Default: all of them.',
      }),
    ),
    contains: Type.Optional(Nullable(contains, { trim: true })),
  },
  { description: 'Fires on a message.' },
)

const triggerSchemas = {
  signal: SignalTrigger,
  schedule: ScheduleTrigger,
  memory: MemoryTrigger,
  message: MessageTrigger,
} as const
export type TriggerType = keyof typeof triggerSchemas

/** Discriminated by `type`. */
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
      'The location in the event: keys and indexes joined by dots, or a JSON pointer (RFC 6901). If nothing is there, the condition is not met.',
    examples: ['value.temperature', '/value/temperature'],
  }),
  value: Type.Optional(
    Type.Unknown({
      description:
        'The value to compare with: a number, a time or a string; a list for `in`; a boolean for `exists`.',
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
    description: `${description} \`{{path}}\` is replaced by the value at that path of the event.`,
    examples: ['It is {{value.temperature}} degrees in the greenhouse.'],
  })

const NOTIFY_CHANNELS = ['inbox', 'chat', 'email'] as const

const NotifyAction = Type.Object(
  {
    type: Type.Literal('notify'),
    channel: OneOf(NOTIFY_CHANNELS, {
      description:
        '`inbox`: a topic of the proactive list; `chat`: a chat session; `email`: an email to the user.',
    }),
    title: Type.Optional(Nullable(template(200, 'The subject. Default: the name of the reflex.'))),
    text: template(4_000, 'The text of the notification.'),
  },
  { description: 'Notifies the user.' },
)

const RememberAction = Type.Object(
  {
    type: Type.Literal('remember'),
    content: template(4_000, 'The text of the memory.'),
    memory_type: withDefault(MemoryType, 'episodic'),
    tags: withDefault(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }),
      [],
    ),
  },
  { description: 'Stores a memory of the user.' },
)

const WebhookAction = Type.Object(
  {
    type: Type.Literal('webhook'),
    channel: withDefault(Type.Literal('webhook'), 'webhook'),
    url: Type.String({
      trim: true,
      minLength: 1,
      maxLength: 2_000,
      description: 'A public URL.',
      examples: ['https://hooks.example.com/svc'],
    }),
  },
  { description: 'Posts the event to a URL, signed (Standard Webhooks).' },
)

const actionSchemas = {
  notify: NotifyAction,
  remember: RememberAction,
  webhook: WebhookAction,
} as const
export type ActionType = keyof typeof actionSchemas

/** Discriminated by `type`. */
export const Action = Type.Union([NotifyAction, RememberAction, WebhookAction])
export type Action = Static<typeof Action>
export type ActionOf<T extends ActionType> = Static<(typeof actionSchemas)[T]>

/** The event that triggered a reflex. Its other fields depend on `type`. */
export const TriggerEvent = Type.Object(
  { type: OneOf(['signal', 'schedule', 'memory', 'message']) },
  { additionalProperties: Type.Unknown() },
)
export type TriggerEvent = Static<typeof TriggerEvent> & Record<string, unknown>

export const TestReflex = Type.Object({ event: TriggerEvent })

export const ReflexTest = Type.Object({
  fires: Type.Boolean({ description: 'Whether the trigger and all conditions match the event.' }),
  triggered: Type.Boolean({ description: 'Whether the trigger matches the event.' }),
  conditions: Type.Array(Type.Boolean(), {
    description: 'Whether each condition of the reflex is met, in its order.',
  }),
  preview: Nullable(
    Type.String({ description: 'What the action would do; null if the reflex does not fire.' }),
  ),
})
export type ReflexTest = Static<typeof ReflexTest>

const name = Type.String({ trim: true, minLength: 1, maxLength: 100, examples: ['Too hot'] })
const conditions = Type.Array(Condition, {
  maxItems: 20,
  description: 'All conditions must be met.',
})
const confirm = Type.Boolean({ description: 'Whether the user must confirm each firing.' })

export const Reflex = Type.Object(
  {
    reflex_id: Uuid(),
    name: Type.String(),
    trigger: Trigger,
    conditions: Type.Array(Condition),
    action: Action,
    confirm: Type.Boolean(),
    enabled: Type.Boolean(),
    disabled_reason: Nullable(
      Type.String({ description: 'Why the server disabled the reflex; null if the user did.' }),
    ),
    skip_always: Type.Boolean({
      description:
        'Whether the user decided `skip_always`. The reflex does not run until this is false.',
    }),
    next_at: Nullable(Timestamp({ description: 'When the schedule fires next.' })),
    last_fired_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: 'Reflex' },
)
export type Reflex = Static<typeof Reflex>

const WebhookSecret = Nullable(
  Type.String({
    description:
      'The signing secret of the webhook. It is returned only once. Null if the reflex has no webhook.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
)

export const ReflexWithSecret = Type.Composite([
  Reflex,
  Type.Object({ webhook_secret: WebhookSecret }),
])
export type ReflexWithSecret = Static<typeof ReflexWithSecret>

export const CreateReflex = Type.Object(
  {
    name,
    trigger: Trigger,
    conditions: withDefault(conditions, []),
    action: Action,
    confirm: withDefault(confirm, false),
    enabled: withDefault(Type.Boolean(), true),
  },
  {
    examples: [
      {
        name: 'Too hot',
        trigger: { type: 'signal' },
        action: { type: 'notify', channel: 'inbox', text: 'It is {{value}} degrees.' },
      },
    ],
  },
)
export type CreateReflex = Static<typeof CreateReflex>

/** Omitted fields keep their value. */
export const UpdateReflex = Type.Object(
  {
    name: Type.Optional(name),
    trigger: Type.Optional(Trigger),
    conditions: Type.Optional(conditions),
    action: Type.Optional(Action),
    confirm: Type.Optional(confirm),
    enabled: Type.Optional(Type.Boolean()),
    skip_always: Type.Optional(
      Type.Boolean({ description: 'False reverts the decision `skip_always`.' }),
    ),
  },
  { examples: [{ name: 'Too warm' }] },
)
export type UpdateReflex = Static<typeof UpdateReflex>

const FIRING_STATES = ['pending', 'waiting', 'done', 'failed', 'skipped', 'limited'] as const

export const Firing = Type.Object(
  {
    firing_id: Uuid(),
    reflex_id: Uuid(),
    state: OneOf(FIRING_STATES, {
      description:
        '`pending`: about to run; `waiting`: needs confirmation; `skipped`: skipped by the user; `limited`: over the hourly limit.',
    }),
    event: TriggerEvent,
    error: Nullable(Type.String({ description: 'Why the firing did not run.' })),
    attempts: Type.Integer({ description: 'Number of failed attempts.' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: 'Firing' },
)
export type Firing = Static<typeof Firing>

export const FiringQuery = Type.Object({
  limit: PageSize(50),
  before: Type.Optional(Uuid({ description: 'The last firing of the previous page.' })),
})
export type FiringQuery = Static<typeof FiringQuery>

export const NewWebhookSecret = Type.Object({ webhook_secret: Type.String() })
export type NewWebhookSecret = Static<typeof NewWebhookSecret>
