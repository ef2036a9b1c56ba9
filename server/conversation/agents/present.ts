import type { Agent, AgentProposal, TimelineEntry } from '../../../shared/contract/agents.ts'
import { definitionOf } from './definition.ts'
import type { AgentExchangeRow, AgentRow } from './table.ts'

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

export const presentExchange = (exchange: AgentExchangeRow): TimelineEntry => ({
  type: exchange.type,
  agent_message: exchange.agentMessage,
  icog_response: exchange.icogResponse,
  memory_type: exchange.memoryType,
  created_at: exchange.createdAt.toISOString(),
})
