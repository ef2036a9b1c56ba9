import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Firing, FiringQuery } from './firings.ts'
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

const params = Type.Object({ reflex_id: Uuid() })

const common = {
  tag: 'Reflexes',
  credential: 'bearer',
  requiresVerifiedEmail: true,
} as const

export const listReflexes = endpoint({
  ...common,
  name: 'listReflexes',
  method: 'GET',
  path: '/api/reflexes',
  summary: 'List the caller’s reflexes',
  success: [200, Type.Array(Reflex)],
})

export const createReflex = endpoint({
  ...common,
  name: 'createReflex',
  method: 'POST',
  path: '/api/reflexes',
  summary: 'Create a reflex: an action that runs on a signal, a schedule, a memory or a message',
  body: CreateReflex,
  success: [201, ReflexWithSecret],
  affects: ['listReflexes'],
  errors: { 403: ['feature_gate_denied'], 409: ['cap_reached', 'handler_disabled'] },
})

export const getReflex = endpoint({
  ...common,
  name: 'getReflex',
  method: 'GET',
  path: '/api/reflexes/{reflex_id}',
  summary: 'Get a reflex',
  params,
  success: [200, Reflex],
  errors: { 404: ['reflex_not_found'] },
})

export const updateReflex = endpoint({
  ...common,
  name: 'updateReflex',
  method: 'PATCH',
  path: '/api/reflexes/{reflex_id}',
  summary: 'Update a reflex; omitted fields keep their value',
  params,
  body: UpdateReflex,
  success: [200, ReflexWithSecret],
  affects: ['listReflexes', 'getReflex'],
  errors: { 403: ['feature_gate_denied'], 404: ['reflex_not_found'], 409: ['handler_disabled'] },
})

export const deleteReflex = endpoint({
  ...common,
  name: 'deleteReflex',
  method: 'DELETE',
  path: '/api/reflexes/{reflex_id}',
  summary: 'Delete a reflex and its firings',
  params,
  success: [204, null],
  affects: ['listReflexes', 'listConfirmations'],
  errors: { 404: ['reflex_not_found'] },
})

export const renewWebhookSecret = endpoint({
  ...common,
  name: 'renewWebhookSecret',
  method: 'POST',
  path: '/api/reflexes/{reflex_id}/secret',
  summary: 'Replace the webhook signing secret; the new one is returned once',
  params,
  success: [200, NewWebhookSecret],
  errors: { 404: ['reflex_not_found'], 409: ['reflex_without_webhook'] },
})

export const testReflex = endpoint({
  ...common,
  name: 'testReflex',
  method: 'POST',
  path: '/api/reflexes/{reflex_id}/test',
  summary: 'Evaluate a reflex with an event, without a firing or effects',
  params,
  body: TestReflex,
  success: [200, ReflexTest],
  errors: { 404: ['reflex_not_found'] },
})

export const listFirings = endpoint({
  ...common,
  name: 'listFirings',
  method: 'GET',
  path: '/api/reflexes/{reflex_id}/firings',
  summary: 'List the firings of a reflex with their outcomes, newest first',
  params,
  query: FiringQuery,
  success: [200, Type.Array(Firing)],
  errors: { 404: ['reflex_not_found', 'firing_not_found'] },
})
