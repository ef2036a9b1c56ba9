import type {
  Agent,
  AgentDefinition,
  AgentProposal,
  Timeline,
  TimelineEntry,
  TimelineQuery,
  UpdateAgent,
} from '../../../shared/schemas/agents.ts'
import type { TokenUsage } from '../../../shared/schemas/chat-sessions.ts'
import type { Hear } from '../../automation/triggers/message.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { columnsOf, definitionOf, differing, type Proposed, tidied } from './definition.ts'
import {
  changeAgent,
  countExchange,
  deleteAgent,
  findAgent,
  holdAgent,
  insertAgent,
  insertExchange,
  listAgents,
  listExchanges,
} from './store.ts'
import { type AgentExchangeRow, type AgentRow, agents } from './table.ts'

/** What an agent said, and what it was answered, or as much of it as there is. */
export interface NewExchange {
  /** Made when it begins. */
  exchangeId: string
  agentMessage: string
  icogResponse: string
  currentTask: string | null
  provider: string | null
  model: string | null
  usage: TokenUsage | null
  isPartial: boolean
}

/** They are listed all at once. */
const CAP: Cap = { table: agents, most: 1_000, name: 'agents' }

export type AgentService = ReturnType<typeof createAgentService>

export const createAgentService = ({ db }: Database, hear?: Hear) => {
  /** @throws ApiError 404 for an agent that is not there or not the caller's. */
  const found = async (caller: Caller, slug: string, within: Db = db): Promise<AgentRow> => {
    const agent = await findAgent(within, caller.userId, slug)
    if (!agent) throw notFound()
    return agent
  }

  /** @throws ApiError 409 for one too many. @returns the one that was made meanwhile, if there is one. */
  const make = (caller: Caller, slug: string, said: Partial<AgentDefinition>): Promise<AgentRow> =>
    db.transaction(async (tx) => {
      const { userId } = caller
      await checkRoom(tx, userId, CAP)
      const made = await insertAgent(tx, { userId, slug, ...columnsOf(said) })
      return made ?? (await found(caller, slug, tx))
    })

  return {
    async list(caller: Caller): Promise<Agent[]> {
      return (await listAgents(db, caller.userId)).map(present)
    },

    /** @throws ApiError 404 for an agent that is not there or not the caller's; so do all that follow. */
    get: async (caller: Caller, slug: string): Promise<Agent> => present(await found(caller, slug)),

    /** @throws ApiError 409 for an answer to a proposal where there is none. */
    async update(
      caller: Caller,
      slug: string,
      { accept, boundaries, ...rest }: UpdateAgent,
    ): Promise<Agent> {
      const given = {
        ...rest,
        ...(boundaries !== undefined && { boundaries: boundaries ?? [] }),
      }
      const changed = await db.transaction(async (tx) => {
        const agent = await holdAgent(tx, caller.userId, slug)
        if (!agent) throw notFound()
        const { proposal } = agent
        if (accept !== undefined && !proposal)
          throw new ApiError(409, 'This agent proposes nothing')
        const definition = { ...(accept && proposal), ...given }
        return changeAgent(tx, agent, {
          ...columnsOf(definition),
          ...(Object.keys(definition).length && { updatedAt: new Date() }),
          ...(accept !== undefined && { proposal: null, proposedAt: null }),
          ...(accept === false && { declined: { ...agent.declined, ...proposal } }),
        })
      })
      return present(changed)
    },

    async delete(caller: Caller, slug: string): Promise<void> {
      if (!(await deleteAgent(db, caller.userId, slug))) throw notFound()
    },

    async timeline(caller: Caller, slug: string, query: TimelineQuery): Promise<Timeline> {
      const { page, limit } = query
      const { exchangeCount: total } = await found(caller, slug)
      const offset = (page - 1) * limit
      const rows = await listExchanges(db, caller.userId, slug, { offset, limit })
      return {
        slug,
        entries: rows.map(presentEntry),
        total,
        has_more: offset + rows.length < total && rows.length > 0,
        page,
        limit,
      }
    },

    /**
     * The agent who talks. Who it says it is makes it, the first time; later, what differs from who
     * it is waits to be accepted, unless it was declined before.
     * @throws ApiError 409 for one too many.
     */
    async meet(caller: Caller, slug: string, proposed: Proposed): Promise<Agent> {
      const { userId } = caller
      const said = tidied(proposed)
      const known = await findAgent(db, userId, slug)
      if (!known) return present(await make(caller, slug, said))
      if (Object.keys(newsIn(known, said)).length === 0) return present(known)
      const changed = await db.transaction(async (tx) => {
        const agent = await holdAgent(tx, userId, slug)
        if (!agent) throw notFound()
        const proposal = { ...agent.proposal, ...newsIn(agent, said) }
        return changeAgent(tx, agent, { proposal, proposedAt: new Date() })
      })
      return present(changed)
    },

    /**
     * The last exchanges, oldest first: what a prompt is made of. What was said in an organization stays
     * there, and what was said in none is not told in one.
     */
    async history(caller: Caller, slug: string, limit: number): Promise<AgentExchangeRow[]> {
      const within = orgOf(caller)
      const rows = await listExchanges(db, caller.userId, slug, { offset: 0, limit, within })
      return rows.toReversed()
    },

    /** Adds an exchange to the timeline. */
    async record(caller: Caller, slug: string, exchange: NewExchange): Promise<TimelineEntry> {
      const { userId } = caller
      const row = await db.transaction(async (tx) => {
        await hear?.(tx, userId, {
          source: 'talk',
          messageId: exchange.exchangeId,
          content: exchange.agentMessage,
          about: { agent_slug: slug },
        })
        if (!(await countExchange(tx, userId, slug))) throw notFound()
        return insertExchange(tx, {
          userId,
          slug,
          orgId: orgOf(caller),
          ...exchange,
        })
      })
      return presentEntry(row)
    },
  }
}

const orgOf = ({ me }: Caller): string | null => me.org?.id ?? null

const notFound = () => new ApiError(404, 'Agent not found')

/** What an agent says that it is not, has not proposed and was not refused. */
const newsIn = (agent: AgentRow, said: Partial<AgentDefinition>): Partial<AgentDefinition> =>
  [definitionOf(agent), agent.proposal ?? {}, agent.declined].reduce(differing, said)

const present = (agent: AgentRow): Agent => ({
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

const presentEntry = (exchange: AgentExchangeRow): TimelineEntry => ({
  type: exchange.type,
  agent_message: exchange.agentMessage,
  icog_response: exchange.icogResponse,
  memory_type: exchange.memoryType,
  created_at: exchange.createdAt.toISOString(),
})
