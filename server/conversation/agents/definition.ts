import type { AgentDefinition } from '../../../shared/schemas/agents.ts'
import type { AgentRow } from './table.ts'

const FIELDS = ['self_definition', 'mandate', 'boundaries', 'agent_type'] as const

/** What an agent says of itself; what it leaves out, or null, it says nothing of. */
export type Proposed = { [K in keyof AgentDefinition]?: AgentDefinition[K] | null }

export const definitionOf = (agent: AgentRow): AgentDefinition => ({
  self_definition: agent.selfDefinition,
  mandate: agent.mandate,
  boundaries: agent.boundaries,
  agent_type: agent.agentType,
})

export const columnsOf = (definition: Partial<AgentDefinition>) => ({
  ...(definition.self_definition !== undefined && { selfDefinition: definition.self_definition }),
  ...(definition.mandate !== undefined && { mandate: definition.mandate }),
  ...(definition.boundaries !== undefined && { boundaries: definition.boundaries }),
  ...(definition.agent_type !== undefined && { agentType: definition.agent_type }),
})

/** Only what is said, without white space around it and without boundaries that say nothing. */
export const tidied = (proposed: Proposed): Partial<AgentDefinition> => {
  const said = FIELDS.flatMap((field) => {
    const value = proposed[field]
    if (value === undefined || value === null) return []
    const tidy = Array.isArray(value)
      ? value.map((line) => line.trim()).filter(Boolean)
      : value.trim()
    return tidy === '' ? [] : [[field, tidy] as const]
  })
  return Object.fromEntries(said)
}

/** The fields of a proposal that would change something. */
export const differing = (
  proposed: Partial<AgentDefinition>,
  present: Partial<AgentDefinition>,
): Partial<AgentDefinition> =>
  Object.fromEntries(
    FIELDS.filter(
      (field) =>
        proposed[field] !== undefined &&
        JSON.stringify(proposed[field]) !== JSON.stringify(present[field]),
    ).map((field) => [field, proposed[field]]),
  )
