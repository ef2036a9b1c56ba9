import { type Static, type StringOptions, Type } from '@sinclair/typebox'
import { Nullable, PageSize, Timestamp, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MemoryType } from './memories.ts'

/** The name of an agent in paths: letters, digits and `._-`, starting with a letter or digit. */
export const AgentSlug = (options = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    examples: ['release-notes'],
    ...options,
  })

const Prose = (description: string) => Type.String({ trim: true, maxLength: 4_000, description })

const Boundaries = (line: StringOptions = {}) =>
  Type.Array(Type.String({ trim: true, maxLength: 1_000, ...line }), {
    maxItems: 50,
    description: 'Things that the agent must not do.',
  })

const fields = {
  self_definition: Prose('The agent’s description of itself.'),
  mandate: Prose('The purpose of the agent.'),
  boundaries: Boundaries({ minLength: 1 }),
  agent_type: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 100,
    examples: ['assistant'],
    description: 'The kind of agent.',
  }),
}

/** The definition of an agent. Empty boundaries are dropped. */
export const AgentDefinition = Type.Object({
  self_definition: Nullable(fields.self_definition),
  mandate: Nullable(fields.mandate),
  boundaries: Boundaries(),
  agent_type: Nullable(fields.agent_type),
})
export type AgentDefinition = Static<typeof AgentDefinition>

export const AgentProposal = Type.Object({
  self_definition: Type.Optional(fields.self_definition),
  mandate: Type.Optional(fields.mandate),
  boundaries: Type.Optional(fields.boundaries),
  agent_type: Type.Optional(fields.agent_type),
  proposed_at: Timestamp(),
})
export type AgentProposal = Static<typeof AgentProposal>

export const Agent = Type.Object(
  {
    slug: Type.String(),
    self_definition: Nullable(Type.String()),
    mandate: Nullable(Type.String()),
    boundaries: Type.Array(Type.String()),
    agent_type: Nullable(Type.String()),
    proposal: Nullable(AgentProposal, {
      description: 'The definition that the agent proposes, until it is accepted or declined.',
    }),
    exchange_count: Type.Integer(),
    last_exchange_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp({ description: 'When the definition last changed.' }),
  },
  { $id: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const UpdateAgent = Type.Object(
  {
    accept: Type.Optional(
      Type.Boolean({ description: 'True accepts the proposal, false declines it.' }),
    ),
    self_definition: Type.Optional(Nullable(fields.self_definition, { trim: true })),
    mandate: Type.Optional(Nullable(fields.mandate, { trim: true })),
    boundaries: Type.Optional(Nullable(fields.boundaries)),
    agent_type: Type.Optional(Nullable(fields.agent_type, { trim: true })),
  },
  { examples: [{ mandate: 'Keep the release notes.' }] },
)
export type UpdateAgent = Static<typeof UpdateAgent>

export const TimelineEntry = Type.Object({
  type: Type.String({ description: 'Always `exchange`.' }),
  agent_message: Type.String(),
  icog_response: Type.String(),
  memory_type: MemoryType,
  created_at: Timestamp(),
})
export type TimelineEntry = Static<typeof TimelineEntry>

export const Timeline = Type.Object({
  slug: Type.String(),
  entries: Type.Array(TimelineEntry),
  total: Type.Integer(),
  has_more: Type.Boolean(),
  page: Type.Integer(),
  limit: Type.Integer(),
})
export type Timeline = Static<typeof Timeline>

export const TimelineQuery = Type.Object({
  page: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The page number, from 1; newest entries first.',
    }),
    1,
  ),
  limit: PageSize(20),
})
export type TimelineQuery = Static<typeof TimelineQuery>

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
  affects: ['getAgent', 'listAgents'],
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
  affects: ['listAgents'],
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
