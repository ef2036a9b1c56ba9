import { Type } from '@sinclair/typebox'
import { Agent, Timeline, TimelineQuery, UpdateAgent } from '../schemas/agents.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Agents'
const params = Type.Object({ slug: Type.String({ examples: ['release-notes'] }) })

export const listAgents = endpoint({
  name: 'listAgents',
  method: 'GET',
  path: '/api/agents',
  tag,
  summary: 'The caller’s agents, by when they last talked',
  credential: 'bearer',
  success: [200, Type.Array(Agent)],
})

export const getAgent = endpoint({
  name: 'getAgent',
  method: 'GET',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Who an agent is, and what it proposes to be',
  credential: 'bearer',
  params,
  success: [200, Agent],
  errors: [404],
})

export const updateAgent = endpoint({
  name: 'updateAgent',
  method: 'PATCH',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Accept or decline what an agent proposes, or say yourself who it is',
  credential: 'bearer',
  params,
  body: UpdateAgent,
  success: [200, Agent],
  errors: [404, 409],
})

export const deleteAgent = endpoint({
  name: 'deleteAgent',
  method: 'DELETE',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Delete an agent and its timeline; what it had remembered stays',
  credential: 'bearer',
  params,
  success: [204, null],
  errors: [404],
})

export const agentTimeline = endpoint({
  name: 'agentTimeline',
  method: 'GET',
  path: '/api/agents/{slug}/timeline',
  tag,
  summary: 'What an agent said and was answered, newest first',
  credential: 'bearer',
  params,
  query: TimelineQuery,
  success: [200, Timeline],
  errors: [404],
})
