import { type Static, Type } from '@sinclair/typebox'
import { OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { TriggerEvent } from './reflex-triggers.ts'

export const Confirmation = Type.Object({
  intent_id: Uuid(),
  reflex_id: Uuid(),
  reflex_name: Type.String(),
  firing_id: Uuid(),
  text: Type.String({ description: 'The action that runs if confirmed.' }),
  event: TriggerEvent,
  created_at: Timestamp(),
  expires_at: Timestamp({ description: 'When the firing is skipped automatically.' }),
})
export type Confirmation = Static<typeof Confirmation>

export const ConfirmationQuery = Type.Object({
  limit: PageSize(50),
  before: Type.Optional(Uuid({ description: 'The last confirmation of the previous page.' })),
})
export type ConfirmationQuery = Static<typeof ConfirmationQuery>

export const DecideConfirmation = Type.Object({
  decision: OneOf(['fire', 'skip_once', 'skip_always']),
})
export type DecideConfirmation = Static<typeof DecideConfirmation>
export type ConfirmationDecision = DecideConfirmation['decision']

const common = {
  tag: 'Reflexes',
  credential: 'bearer',
  requiresVerifiedEmail: true,
} as const

export const listConfirmations = endpoint({
  ...common,
  name: 'listConfirmations',
  method: 'GET',
  path: '/api/reflexes/confirmations',
  summary: 'List the firings that wait for confirmation, newest first',
  query: ConfirmationQuery,
  success: [200, Type.Array(Confirmation)],
  errors: { 404: ['confirmation_not_found'] },
})

export const decideConfirmation = endpoint({
  ...common,
  name: 'decideConfirmation',
  method: 'POST',
  path: '/api/reflexes/confirmations/{intent_id}/decision',
  summary: 'Confirm a firing, skip it once, or always skip its reflex',
  params: Type.Object({ intent_id: Uuid() }),
  body: DecideConfirmation,
  success: [200, Type.Object({})],
  affects: ['listConfirmations', 'listReflexes', 'listFirings'],
  errors: {
    404: ['confirmation_not_found'],
    409: ['confirmation_already_decided', 'confirmation_closed'],
  },
})
