import type { Agent, AgentDefinition, AgentProposal } from '../../../shared/contract/agents.ts'
import type { AgentRow } from './table.ts'

const FIELDS = ['self_definition', 'mandate', 'boundaries', 'agent_type'] as const

/** The definition that an agent sends with a request; null and missing fields propose nothing. */
export type ProposedDefinition = { [K in keyof AgentDefinition]?: AgentDefinition[K] | null }

export const definitionOf = (agent: AgentRow): AgentDefinition => ({
  self_definition: agent.selfDefinition,
  mandate: agent.mandate,
  boundaries: agent.boundaries,
  agent_type: agent.agentType,
})

export const definitionColumns = (definition: Partial<AgentDefinition>) => ({
  ...(definition.self_definition !== undefined && { selfDefinition: definition.self_definition }),
  ...(definition.mandate !== undefined && { mandate: definition.mandate }),
  ...(definition.boundaries !== undefined && { boundaries: definition.boundaries }),
  ...(definition.agent_type !== undefined && { agentType: definition.agent_type }),
})

/** Trims all texts, and drops empty fields and boundaries. */
export const normalizeDefinition = (proposed: ProposedDefinition): Partial<AgentDefinition> => {
  const fields = FIELDS.flatMap((field) => {
    const value = proposed[field]
    if (value === undefined || value === null) return []
    const trimmed = Array.isArray(value)
      ? value.map((line) => line.trim()).filter(Boolean)
      : value.trim()
    return trimmed === '' ? [] : [[field, trimmed] as const]
  })
  return Object.fromEntries(fields)
}

/** The fields of a proposal that differ from the current ones. */
export const changedFields = (
  proposed: Partial<AgentDefinition>,
  current: Partial<AgentDefinition>,
): Partial<AgentDefinition> =>
  Object.fromEntries(
    FIELDS.filter(
      (field) =>
        proposed[field] !== undefined &&
        JSON.stringify(proposed[field]) !== JSON.stringify(current[field]),
    ).map((field) => [field, proposed[field]]),
  )

export const presentAgent = (agent: AgentRow): Agent => ({
  slug: agent.slug,
  ...definitionOf(agent),
  proposal: agent.proposal && {
    ...(agent.proposal as Omit<AgentProposal, 'proposed_at'>),
    proposed_at: (agent.proposedAt ?? agent.updatedAt).toISOString(),
  },
  exchange_count: agent.exchangeCount,
  last_exchange_at: agent.lastExchangeAt?.toISOString() ?? null,
  created_at: agent.createdAt.toISOString(),
  updated_at: agent.updatedAt.toISOString(),
})
