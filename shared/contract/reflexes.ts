import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import { Firing, FiringQuery } from '../schemas/firings.ts'
import {
  CreateReflex,
  NewWebhookSecret,
  Reflex,
  ReflexTest,
  ReflexWithSecret,
  TestReflex,
  UpdateReflex,
} from '../schemas/reflexes.ts'
import { endpoint } from './endpoint.ts'

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
