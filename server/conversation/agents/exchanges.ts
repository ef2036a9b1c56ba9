import type { Timeline, TimelineEntry, TimelineQuery } from '../../../shared/contract/agents.ts'
import type { TokenUsage } from '../../../shared/contract/chat-messages.ts'
import { readableConversations } from '../../memory/wall.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { OnMessage } from '../on-message.ts'
import { agentError } from './service.ts'
import {
  countExchange,
  countExchangesIn,
  findAgent,
  insertExchange,
  selectExchanges,
} from './store.ts'
import type { AgentExchangeRow } from './table.ts'

/** A message of an agent with its completion. */
export interface NewExchange {
  exchangeId: string
  agentMessage: string
  icogResponse: string
  currentTask: string | null
  provider: string | null
  model: string | null
  usage: TokenUsage | null
  isPartial: boolean
}

export type ExchangeService = ReturnType<typeof createExchangeService>

export const createExchangeService = ({ db }: Database, onMessage: OnMessage) => ({
  /** A page of exchanges, newest first. @throws ApiError 404 for an agent that does not exist. */
  async timeline(caller: Caller, slug: string, query: TimelineQuery): Promise<Timeline> {
    const { page, limit } = query
    const agent = await findAgent(db, caller.userId, slug)
    if (!agent) throw agentError('agent_not_found')
    const orgId = readableConversations(caller, 'person')
    const total =
      orgId === undefined
        ? agent.exchangeCount
        : await countExchangesIn(db, caller.userId, slug, orgId)
    const offset = (page - 1) * limit
    const rows = await selectExchanges(db, caller.userId, slug, { offset, limit, orgId })
    return {
      slug,
      entries: rows.map(presentExchange),
      total,
      has_more: offset + rows.length < total && rows.length > 0,
      page,
      limit,
    }
  },

  /** The last exchanges in the caller's organization, or outside of organizations; oldest first. */
  async history(caller: Caller, slug: string, limit: number): Promise<AgentExchangeRow[]> {
    const orgId = readableConversations(caller, 'model')
    const rows = await selectExchanges(db, caller.userId, slug, { offset: 0, limit, orgId })
    return rows.toReversed()
  },

  /** @throws ApiError 404 for an agent that was deleted during the turn. */
  async add(caller: Caller, slug: string, exchange: NewExchange): Promise<TimelineEntry> {
    const { userId } = caller
    const row = await db.transaction(async (tx) => {
      await onMessage(tx, userId, {
        source: 'talk',
        messageId: exchange.exchangeId,
        content: exchange.agentMessage,
        about: { agent_slug: slug },
      })
      if (!(await countExchange(tx, userId, slug))) throw agentError('agent_not_found')
      return insertExchange(tx, { userId, slug, orgId: orgIdOf(caller), ...exchange })
    })
    return presentExchange(row)
  },
})

const orgIdOf = (caller: Caller): string | null => readableConversations(caller, 'model') ?? null

const presentExchange = (exchange: AgentExchangeRow): TimelineEntry => ({
  type: exchange.type,
  agent_message: exchange.agentMessage,
  icog_response: exchange.icogResponse,
  memory_type: exchange.memoryType,
  created_at: exchange.createdAt.toISOString(),
})
