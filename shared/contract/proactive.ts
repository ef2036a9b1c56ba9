import { Type } from '@sinclair/typebox'
import { ListProactiveIntents, ProactiveFeedback, ProactiveIntent } from '../schemas/proactive.ts'
import { endpoint } from './endpoint.ts'

export const listProactiveIntents = endpoint({
  name: 'listProactiveIntents',
  method: 'GET',
  path: '/api/proactive/intents',
  tag: 'Proactive',
  summary: 'What is to be brought up: reminders that are due, conflicts, open questions',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ListProactiveIntents,
  success: [200, Type.Array(ProactiveIntent)],
})

export const giveFeedback = endpoint({
  name: 'giveFeedback',
  method: 'POST',
  path: '/api/proactive/feedback',
  tag: 'Proactive',
  summary: 'Dismiss or snooze what was brought up, or say whether it was welcome',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ProactiveFeedback,
  success: [200, Type.Object({})],
  errors: [404],
})
