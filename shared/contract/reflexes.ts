import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import {
  Confirmation,
  ConfirmationQuery,
  CreateReflex,
  DecideConfirmation,
  Firing,
  FiringQuery,
  NewWebhookSecret,
  Reflex,
  ReflexWithSecret,
  UpdateReflex,
} from '../schemas/reflexes.ts'
import { endpoint } from './endpoint.ts'

const common = {
  tag: 'Reflexes',
  credential: 'bearer',
  requiresVerifiedEmail: true,
} as const
const params = Type.Object({ reflex_id: Uuid() })

export const listReflexes = endpoint({
  ...common,
  name: 'listReflexes',
  method: 'GET',
  path: '/api/reflexes',
  summary: 'What the caller wants done when something happens',
  success: [200, Type.Array(Reflex)],
})

export const createReflex = endpoint({
  ...common,
  name: 'createReflex',
  method: 'POST',
  path: '/api/reflexes',
  summary: 'Have something done whenever a signal, a time, a memory or a message comes',
  body: CreateReflex,
  success: [201, ReflexWithSecret],
  errors: [403, 409],
})

export const getReflex = endpoint({
  ...common,
  name: 'getReflex',
  method: 'GET',
  path: '/api/reflexes/{reflex_id}',
  summary: 'One reflex',
  params,
  success: [200, Reflex],
  errors: [404],
})

export const updateReflex = endpoint({
  ...common,
  name: 'updateReflex',
  method: 'PATCH',
  path: '/api/reflexes/{reflex_id}',
  summary: 'Change a reflex, at once; what is left out stays as it is',
  params,
  body: UpdateReflex,
  success: [200, ReflexWithSecret],
  errors: [403, 404, 409],
})

export const deleteReflex = endpoint({
  ...common,
  name: 'deleteReflex',
  method: 'DELETE',
  path: '/api/reflexes/{reflex_id}',
  summary: 'Delete a reflex and the record of its firings',
  params,
  success: [204, null],
  errors: [404],
})

export const renewWebhookSecret = endpoint({
  ...common,
  name: 'renewWebhookSecret',
  method: 'POST',
  path: '/api/reflexes/{reflex_id}/secret',
  summary: 'Sign the webhook with a new secret from now on; it is shown this once',
  params,
  success: [200, NewWebhookSecret],
  errors: [404, 409],
})

export const listFirings = endpoint({
  ...common,
  name: 'listFirings',
  method: 'GET',
  path: '/api/reflexes/{reflex_id}/firings',
  summary: 'What became of each time that a reflex fired, newest first',
  params,
  query: FiringQuery,
  success: [200, Type.Array(Firing)],
  errors: [404],
})

export const listConfirmations = endpoint({
  ...common,
  name: 'listConfirmations',
  method: 'GET',
  path: '/api/reflexes/confirmations',
  summary: 'The firings that wait for the caller’s word, newest first',
  query: ConfirmationQuery,
  success: [200, Type.Array(Confirmation)],
  errors: [404],
})

export const decideConfirmation = endpoint({
  ...common,
  name: 'decideConfirmation',
  method: 'POST',
  path: '/api/reflexes/confirmations/{intent_id}/decision',
  summary: 'Let it fire, skip it this once, or skip it always',
  params: Type.Object({ intent_id: Uuid() }),
  body: DecideConfirmation,
  success: [200, Type.Object({})],
  errors: [404, 409],
})
