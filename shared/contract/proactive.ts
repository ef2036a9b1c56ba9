import { Type } from '@sinclair/typebox'
import {
  ListProactiveIntents,
  ProactiveFeedback,
  ProactiveIntent,
  UpcomingReminder,
} from '../schemas/proactive.ts'
import { endpoint } from './endpoint.ts'

export const listProactiveIntents = endpoint({
  name: 'listProactiveIntents',
  method: 'GET',
  path: '/api/proactive/intents',
  tag: 'Proactive',
  summary: 'List topics to bring up: due reminders, conflicts and open questions',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ListProactiveIntents,
  success: [200, Type.Array(ProactiveIntent)],
})

export const listUpcomingReminders = endpoint({
  name: 'listUpcomingReminders',
  method: 'GET',
  path: '/api/proactive/upcoming',
  tag: 'Proactive',
  summary: 'List the reminders that are not due yet, next first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: ListProactiveIntents,
  success: [200, Type.Array(UpcomingReminder)],
})

export const giveFeedback = endpoint({
  name: 'giveFeedback',
  method: 'POST',
  path: '/api/proactive/feedback',
  tag: 'Proactive',
  summary: 'Dismiss, snooze or rate a topic',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: ProactiveFeedback,
  success: [200, Type.Object({})],
  errors: { 404: ['intent_not_found'] },
})
