import type { Agent } from '../../../shared/contract/agents.ts'
import type { EventOf } from '../../../shared/contract/endpoint.ts'
import { talk, talkStream } from '../../../shared/contract/index.ts'
import type {
  Exchange,
  TalkAnswer,
  TalkRequest,
  talkEvents,
} from '../../../shared/contract/talk.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Message } from '../../platform/models/types.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { MemoryPlacement } from '../../prompt/learning.ts'
import { LOCAL_ANSWER_PLACEHOLDER } from '../../prompt/local-answer.ts'
import { displayName, type PromptRequest } from '../../prompt/prompt.ts'
import { DEPTHS, recallQuery } from '../../prompt/recall.ts'
import type { Turn, TurnOptions, TurnService } from '../../prompt/turn.ts'
import type { ExchangeService, NewExchange } from '../agents/exchanges.ts'
import type { AgentService } from '../agents/service.ts'
import type { AgentExchangeRow } from '../agents/table.ts'

/** The agent of requests that name none: the user, or one of their clients. */
const DEFAULT_AGENT = 'default'
const HISTORY_LIMIT = 50
const ASSISTANT = 'svc'

type TalkEvents = AsyncGenerator<EventOf<typeof talkEvents>>

interface TalkOptions {
  signal: AbortSignal
  /** Sends the memories before the model is asked. */
  memoriesFirst: boolean
}

interface TalkDeps {
  agents: Pick<AgentService, 'introduce'>
  exchanges: Pick<ExchangeService, 'history' | 'add'>
  turns: TurnService
}

type TalkTurn = Turn<{ agent_slug: string; message_id: string }, { exchange: Exchange }>

export type TalkService = ReturnType<typeof createTalkService>

export const createTalkService = ({ turns, ...deps }: TalkDeps) => {
  const answer = (caller: Caller, body: TalkRequest, options: TurnOptions): TalkEvents =>
    turns.answer(caller, () => prepareTalk(deps, caller, body), options)

  return {
    /**
     * @throws ApiError 409 for too many agents, 429 when the month's messages are used up, 502-504 when
     * no model answers.
     */
    stream: (caller: Caller, body: TalkRequest, options: TalkOptions): TalkEvents =>
      answer(caller, body, { ...options, delivery: 'stream' }),

    /** @throws ApiError as `stream`. */
    async send(caller: Caller, body: TalkRequest, signal: AbortSignal): Promise<TalkAnswer> {
      let exchange: Exchange | undefined
      const options = { delivery: 'whole', memoriesFirst: false, signal } as const
      for await (const { event, data } of answer(caller, body, options))
        if (event === 'done') exchange = data.exchange
      if (!exchange) throw new Error('a turn ended without an answer')
      return exchange
    },
  }
}

export const talkRoutes = (mount: Mount, talks: TalkService): void => {
  mount(talk, ({ caller, body, signal, disableIdleTimeout }) => {
    disableIdleTimeout()
    return talks.send(caller, body, signal)
  })
  mount(talkStream, ({ caller, body, query, signal }) =>
    talks.stream(caller, body, { signal, memoriesFirst: query.progress }),
  )
}

/** Creates or updates the agent, and loads its history. @throws ApiError 409 for too many agents. */
const prepareTalk = async (
  { agents, exchanges }: Omit<TalkDeps, 'turns'>,
  caller: Caller,
  body: TalkRequest,
): Promise<TalkTurn> => {
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
    ids: { agent_slug: slug, message_id: exchangeId },
    prompt: promptFor(body, agent, history),
    toolEvents: [],
    lesson: {
      message: { ...placement, content: body.message, author, ref: exchangeId },
      completion: { ...placement, author: ASSISTANT, ref: exchangeId },
      isReplacement: false,
      ...(slug !== DEFAULT_AGENT && { trust: 'assistant' }),
    },
    async store(completion, { memories }) {
      const row = exchangeOf(exchangeId, body, completion)
      const { created_at } = await exchanges.add(caller, slug, row)
      const exchange = {
        id: exchangeId,
        agent_slug: slug,
        agent_message: body.message,
        icog_response: completion.content,
        memories,
        created_at,
      }
      return { exchange }
    },
  }
}

const exchangeOf = (
  exchangeId: string,
  { message, current_task }: TalkRequest,
  { content, ...completion }: Completion,
): NewExchange => ({
  ...completion,
  exchangeId,
  agentMessage: message,
  icogResponse: content,
  currentTask: current_task ?? null,
})

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
    toolMemories: { ...placementOf(slug), author: ASSISTANT, ref: slug },
  }
}

const isDefined = ({ self_definition, mandate, boundaries, agent_type }: Agent): boolean =>
  Boolean(self_definition || mandate || boundaries.length || agent_type)

/** A stored exchange as a prompt's history contains it. */
const toModelMessages = ({ agentMessage, icogResponse, provider }: AgentExchangeRow): Message[] => [
  { role: 'user', content: agentMessage },
  { role: 'assistant', content: provider === 'local' ? LOCAL_ANSWER_PLACEHOLDER : icogResponse },
]
