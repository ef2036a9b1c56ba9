import type { Agent } from '../../../shared/contract/agents.ts'
import type { Exchange, TalkRequest } from '../../../shared/contract/talk.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Message } from '../../platform/models/types.ts'
import type { MemoryPlacement } from '../../prompt/learning.ts'
import { LOCAL_ANSWER_PLACEHOLDER } from '../../prompt/local-answer.ts'
import { displayName, type PromptRequest } from '../../prompt/prompt.ts'
import { DEPTHS, recallQuery } from '../../prompt/recall.ts'
import type { Turn } from '../../prompt/turn.ts'
import type { ExchangeService } from '../agents/exchange-service.ts'
import type { AgentService } from '../agents/service.ts'
import type { AgentExchangeRow } from '../agents/table.ts'

/** The agent of requests that name none: the user, or one of their clients. */
const DEFAULT_AGENT = 'default'
const HISTORY_LIMIT = 50
const ANSWERER = 'svc'

export type TalkTurn = Turn<{ agent_slug: string }, { exchange: Exchange }>

/** Creates or updates the agent, and loads the context of its turn. */
export const createLoadTalkTurn =
  ({
    agents,
    exchanges,
  }: {
    agents: Pick<AgentService, 'introduce'>
    exchanges: Pick<ExchangeService, 'history' | 'add'>
  }) =>
  /** @throws ApiError 409 for too many agents. */
  async (caller: Caller, body: TalkRequest): Promise<TalkTurn> => {
    const { message } = body
    const slug = body.agent_slug ?? DEFAULT_AGENT
    const agent = await agents.introduce(caller, slug, {
      self_definition: body.proposed_self_definition ?? null,
      mandate: body.proposed_mandate ?? null,
      boundaries: body.proposed_boundaries ?? null,
      agent_type: body.proposed_agent_type ?? null,
    })
    const history = await exchanges.history(caller, slug, HISTORY_LIMIT)
    const exchangeId = Bun.randomUUIDv7()
    const placement = placementOf(slug)
    const author = slug === DEFAULT_AGENT ? displayName(caller) : slug
    return {
      reference: { agent_slug: slug },
      messageId: exchangeId,
      prompt: promptFor(body, agent, history),
      toolEvents: [],
      learned: {
        question: { ...placement, content: message, author, ref: exchangeId },
        answer: { ...placement, author: ANSWERER, ref: exchangeId },
        isReplacement: false,
      },
      async store({ content, provider, model, usage, isPartial }, memories) {
        const { created_at } = await exchanges.add(caller, slug, {
          exchangeId,
          agentMessage: message,
          icogResponse: content,
          currentTask: body.current_task ?? null,
          provider,
          model,
          usage,
          isPartial,
        })
        const exchange = {
          id: exchangeId,
          agent_slug: slug,
          agent_message: message,
          icog_response: content,
          memories,
          created_at,
        }
        return { exchange }
      },
    }
  }

const placementOf = (slug: string): MemoryPlacement => ({
  thread: `agent:${slug}`,
  memoryType: 'semantic',
  agentSlug: slug,
})

const promptFor = (
  { message, current_task, scope_mode }: TalkRequest,
  agent: Agent,
  history: AgentExchangeRow[],
): PromptRequest => {
  const { slug } = agent
  return {
    message,
    context: current_task ? `(Working on: ${current_task})` : undefined,
    provider: undefined,
    recall: {
      query: recallQuery(message, history.at(-1)?.agentMessage),
      limit: DEPTHS.quick.memories,
      scope: scope_mode,
      agentSlug: slug,
      except: new Set(history.map(({ exchangeId }) => exchangeId)),
    },
    attachments: { texts: [], images: [] },
    history: history.flatMap(toModelMessages),
    tools: [],
    maxSteps: 0,
    agent: slug === DEFAULT_AGENT && !isDefined(agent) ? undefined : agent,
    note: { ...placementOf(slug), author: ANSWERER, ref: slug },
  }
}

const isDefined = ({ self_definition, mandate, boundaries, agent_type }: Agent): boolean =>
  Boolean(self_definition || mandate || boundaries.length || agent_type)

/** A stored exchange as a prompt's history contains it. */
const toModelMessages = ({ agentMessage, icogResponse, provider }: AgentExchangeRow): Message[] => [
  { role: 'user', content: agentMessage },
  { role: 'assistant', content: provider === 'local' ? LOCAL_ANSWER_PLACEHOLDER : icogResponse },
]
