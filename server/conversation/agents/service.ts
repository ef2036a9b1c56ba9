import type {
  Agent,
  AgentDefinition,
  AgentProposal,
  UpdateAgent,
} from '../../../shared/contract/agents.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { checkRowLimit, type RowLimit } from '../../platform/row-limit.ts'
import {
  findAgent,
  insertAgent,
  lockAgent,
  removeAgent,
  resetAgents,
  selectAgents,
  updateAgentRow,
} from './store.ts'
import { type AgentRow, agents } from './table.ts'

export const agentError = defineErrors({
  agent_not_found: { status: 404, detail: 'Agent not found' },
  agent_proposal_not_found: { status: 409, detail: 'This agent proposes nothing' },
})

/** The list of agents has no pages. */
const ROW_LIMIT: RowLimit = { table: agents, max: 1_000, name: 'agents' }

export type AgentService = ReturnType<typeof createAgentService>

export const createAgentService = ({ db }: Database) => {
  const find = async (caller: Caller, slug: string, within: Db = db): Promise<AgentRow> => {
    const agent = await findAgent(within, caller.userId, slug)
    if (!agent) throw agentError('agent_not_found')
    return agent
  }

  const lock = async (tx: Db, caller: Caller, slug: string): Promise<AgentRow> => {
    const agent = await lockAgent(tx, caller.userId, slug)
    if (!agent) throw agentError('agent_not_found')
    return agent
  }

  /** @returns the agent, or the one that a concurrent request created. @throws ApiError 409 at the cap. */
  const create = (
    caller: Caller,
    slug: string,
    definition: Partial<AgentDefinition>,
  ): Promise<AgentRow> =>
    db.transaction(async (tx) => {
      const { userId } = caller
      await checkRowLimit(tx, userId, ROW_LIMIT)
      const created = await insertAgent(tx, { userId, slug, ...definitionColumns(definition) })
      return created ?? (await find(caller, slug, tx))
    })

  /** @throws ApiError 404 where the agent was deleted meanwhile. */
  const propose = (caller: Caller, slug: string, proposed: Partial<AgentDefinition>) =>
    db.transaction(async (tx) => {
      const agent = await lock(tx, caller, slug)
      const proposal = { ...agent.proposal, ...newProposal(agent, proposed) }
      return updateAgentRow(tx, agent, { proposal, proposedAt: new Date() })
    })

  return {
    /** Deletes the definitions of the agents of a user. */
    resetAll: resetAgents,

    async list(caller: Caller): Promise<Agent[]> {
      return (await selectAgents(db, caller.userId)).map(presentAgent)
    },

    /**
     * @throws ApiError 404 for an agent that does not exist or is another user's; so do all methods
     * below.
     */
    get: async (caller: Caller, slug: string): Promise<Agent> =>
      presentAgent(await find(caller, slug)),

    /** @throws ApiError 409 for an agent without a proposal where `accept` is set. */
    async update(
      caller: Caller,
      slug: string,
      { accept, boundaries, ...rest }: UpdateAgent,
    ): Promise<Agent> {
      const input = {
        ...rest,
        ...(boundaries !== undefined && { boundaries: boundaries ?? [] }),
      }
      const updated = await db.transaction(async (tx) => {
        const agent = await lock(tx, caller, slug)
        const { proposal } = agent
        if (accept !== undefined && !proposal) throw agentError('agent_proposal_not_found')
        const definition = { ...(accept && proposal), ...input }
        return updateAgentRow(tx, agent, {
          ...definitionColumns(definition),
          ...(Object.keys(definition).length && { updatedAt: new Date() }),
          ...(accept !== undefined && { proposal: null, proposedAt: null }),
          ...(accept === false && { declined: { ...agent.declined, ...proposal } }),
        })
      })
      return presentAgent(updated)
    },

    async delete(caller: Caller, slug: string): Promise<void> {
      if (!(await removeAgent(db, caller.userId, slug))) throw agentError('agent_not_found')
    },

    /**
     * The agent that talks. Its first request creates it with the proposed definition; later changes wait
     * for the user, unless they were declined before.
     * @throws ApiError 409 for too many agents.
     */
    async introduce(caller: Caller, slug: string, proposed: ProposedDefinition): Promise<Agent> {
      const definition = normalizeDefinition(proposed)
      const agent = await findAgent(db, caller.userId, slug)
      if (!agent) return presentAgent(await create(caller, slug, definition))
      const isNew = Object.keys(newProposal(agent, definition)).length > 0
      return presentAgent(isNew ? await propose(caller, slug, definition) : agent)
    },
  }
}

/** The fields that differ from the agent's definition, its proposal and what was declined. */
const newProposal = (
  agent: AgentRow,
  proposed: Partial<AgentDefinition>,
): Partial<AgentDefinition> =>
  [definitionOf(agent), agent.proposal ?? {}, agent.declined].reduce(changedFields, proposed)

const FIELDS = ['self_definition', 'mandate', 'boundaries', 'agent_type'] as const

/** The definition that an agent sends with a request; null and missing fields propose nothing. */
type ProposedDefinition = { [K in keyof AgentDefinition]?: AgentDefinition[K] | null }

const definitionOf = (agent: AgentRow): AgentDefinition => ({
  self_definition: agent.selfDefinition,
  mandate: agent.mandate,
  boundaries: agent.boundaries,
  agent_type: agent.agentType,
})

const definitionColumns = (definition: Partial<AgentDefinition>) => ({
  ...(definition.self_definition !== undefined && { selfDefinition: definition.self_definition }),
  ...(definition.mandate !== undefined && { mandate: definition.mandate }),
  ...(definition.boundaries !== undefined && { boundaries: definition.boundaries }),
  ...(definition.agent_type !== undefined && { agentType: definition.agent_type }),
})

/** Trims all texts, and drops empty fields and boundaries. */
const normalizeDefinition = (proposed: ProposedDefinition): Partial<AgentDefinition> => {
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
const changedFields = (
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

const presentAgent = (agent: AgentRow): Agent => ({
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
