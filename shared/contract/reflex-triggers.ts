import { type Static, Type } from '@sinclair/typebox'
import { MESSAGE_SOURCES, Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { MemoryType } from './memories.ts'
import { SignalType } from './senses.ts'

const contains = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 200,
  description: 'Only if the text contains these words, case-insensitive.',
})

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

/** The event that triggered a reflex. Its other fields depend on `type`. */
export const TriggerEvent = Type.Object(
  { type: OneOf(['signal', 'schedule', 'memory', 'message']) },
  { additionalProperties: Type.Unknown() },
)
export type TriggerEvent = Static<typeof TriggerEvent> & Record<string, unknown>
