import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { Action } from './reflex-actions.ts'
import { Condition } from './reflex-conditions.ts'
import { Trigger, TriggerEvent } from './reflex-triggers.ts'

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

export const NewWebhookSecret = Type.Object({ webhook_secret: Type.String() })
export type NewWebhookSecret = Static<typeof NewWebhookSecret>

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
