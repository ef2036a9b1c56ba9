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
  summary: 'List the caller’s agents, most recently active first',
  credential: 'bearer',
  success: [200, Type.Array(Agent)],
})

export const getAgent = endpoint({
  name: 'getAgent',
  method: 'GET',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Get an agent’s definition and its open proposal',
  credential: 'bearer',
  params,
  success: [200, Agent],
  errors: { 404: ['agent_not_found'] },
})

export const updateAgent = endpoint({
  name: 'updateAgent',
  method: 'PATCH',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Accept or decline an agent’s proposal, or change its definition',
  credential: 'bearer',
  params,
  body: UpdateAgent,
  success: [200, Agent],
  errors: { 404: ['agent_not_found'], 409: ['agent_proposal_not_found'] },
})

export const deleteAgent = endpoint({
  name: 'deleteAgent',
  method: 'DELETE',
  path: '/api/agents/{slug}',
  tag,
  summary: 'Delete an agent and its timeline; its memories are kept',
  credential: 'bearer',
  params,
  success: [204, null],
  errors: { 404: ['agent_not_found'] },
})

export const agentTimeline = endpoint({
  name: 'agentTimeline',
  method: 'GET',
  path: '/api/agents/{slug}/timeline',
  tag,
  summary: 'List an agent’s messages and the responses, newest first',
  credential: 'bearer',
  params,
  query: TimelineQuery,
  success: [200, Timeline],
  errors: { 404: ['agent_not_found'] },
})
