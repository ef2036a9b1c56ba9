import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import { Confirmation, ConfirmationQuery, DecideConfirmation } from '../schemas/confirmations.ts'
import { endpoint } from './endpoint.ts'

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
  errors: {
    404: ['confirmation_not_found'],
    409: ['confirmation_already_decided', 'confirmation_closed'],
  },
})
