import type { EventOf } from '../../../shared/contract/endpoint.ts'
import type { Agent } from '../../../shared/schemas/agents.ts'
import type { Exchange, TalkAnswer, TalkRequest, talkEvents } from '../../../shared/schemas/talk.ts'
import type { UsageService } from '../../billing/usage/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Message, Models } from '../../platform/models/types.ts'
import type { AgentService } from '../agents/service.ts'
import type { AgentExchangeRow } from '../agents/table.ts'
import { answer, type Given, type Turn, whole } from '../prompt/answer.ts'
import { type Ask, counted } from '../prompt/counted.ts'
import type { Learning, Place } from '../prompt/learning.ts'
import { QUOTED } from '../prompt/local.ts'
import { type PreparedPrompt, type Prompts, personOf } from '../prompt/prompts.ts'
import { DEPTHS, queryFor } from '../prompt/recollection.ts'

export type TalkEvent = EventOf<typeof talkEvents>

/** Who speaks where nobody says who: the person, or a program of theirs. */
const DEFAULT_AGENT = 'default'
const HISTORY_LIMIT = 50
const ANSWERER = 'svc'

export type TalkService = ReturnType<typeof createTalkService>

export const createTalkService = ({
  agents,
  prompts,
  learning,
  models,
  usage,
}: {
  agents: Pick<AgentService, 'meet' | 'history' | 'record'>
  prompts: Prompts
  learning: Learning
  models: Models
  usage: Pick<UsageService, 'take' | 'giveBack'>
}) => {
  const prepare = async (caller: Caller, agent: Agent, body: TalkRequest, place: Place) => {
    const { message, current_task, scope_mode } = body
    const before = await agents.history(caller, agent.slug, HISTORY_LIMIT)
    return prompts.prepare(caller, {
      message,
      context: current_task ? `(Working on: ${current_task})` : undefined,
      provider: undefined,
      recollecting: {
        query: queryFor(message, before.at(-1)?.agentMessage),
        limit: DEPTHS.quick.memories,
        scope: scope_mode,
        agentSlug: agent.slug,
        except: new Set(before.map(({ exchangeId }) => exchangeId)),
      },
      materials: { texts: [], pictures: [] },
      history: before.flatMap(toldOf),
      tools: [],
      steps: 0,
      agent: agent.slug === DEFAULT_AGENT && !isDefined(agent) ? undefined : agent,
      place: { ...place, author: ANSWERER, ref: agent.slug },
    })
  }

  const turnOf = (
    caller: Caller,
    { agent, body, place }: { agent: Agent; body: TalkRequest; place: Place },
    { request, memories, sources }: PreparedPrompt,
  ): Turn<Exchange> => {
    const exchangeId = Bun.randomUUIDv7()
    const keep = async (given: Given): Promise<Exchange> => {
      const { content, provider, model, usage, isPartial } = given
      const { created_at } = await agents.record(caller, agent.slug, {
        exchangeId,
        agentMessage: body.message,
        icogResponse: content,
        currentTask: body.current_task ?? null,
        provider,
        model,
        usage,
        isPartial,
      })
      if (provider !== 'local' && !isPartial) {
        const words = { ...place, content, author: ANSWERER, ref: exchangeId }
        await learning.answer(caller, words, sources, false)
      }
      return {
        id: exchangeId,
        agent_slug: agent.slug,
        agent_message: body.message,
        icog_response: content,
        memories,
        created_at,
      }
    }
    return {
      request,
      messageId: exchangeId,
      memories,
      events: [],
      begun: () =>
        learning.words(
          caller,
          {
            ...place,
            content: body.message,
            author: agent.slug === DEFAULT_AGENT ? personOf(caller) : agent.slug,
            ref: exchangeId,
          },
          memories,
        ),
      unanswered: async () => {},
      keep,
    }
  }

  async function* converse(caller: Caller, body: TalkRequest, ask: Ask): AsyncGenerator<TalkEvent> {
    const slug = body.agent_slug ?? DEFAULT_AGENT
    const agent = await agents.meet(caller, slug, {
      self_definition: body.proposed_self_definition ?? null,
      mandate: body.proposed_mandate ?? null,
      boundaries: body.proposed_boundaries ?? null,
      agent_type: body.proposed_agent_type ?? null,
    })
    const place: Place = { thread: `agent:${slug}`, memoryType: 'semantic', agentSlug: slug }
    const prompt = await prepare(caller, agent, body, place)
    for await (const event of answer(
      ask(prompt.request),
      turnOf(caller, { agent, body, place }, prompt),
    )) {
      if (event.event === 'start')
        yield { event: 'start', data: { agent_slug: slug, ...event.data } }
      else if (event.event === 'done')
        yield { event: 'done', data: { exchange: event.kept, usage: event.usage } }
      else yield event
    }
  }

  const conversation = (caller: Caller, body: TalkRequest, ask: Ask, signal: AbortSignal) =>
    counted(usage, caller, { ask, signal }, (asking) => converse(caller, body, asking))

  return {
    /** @throws ApiError 429 when the month's messages are used up, 502-504 when no model answers. */
    stream: (caller: Caller, body: TalkRequest, signal: AbortSignal) =>
      conversation(caller, body, (request) => models.stream(request, signal), signal),

    /** @throws ApiError as `stream`. */
    async say(caller: Caller, body: TalkRequest, signal: AbortSignal): Promise<TalkAnswer> {
      let exchange: Exchange | undefined
      const ask: Ask = (request) => whole(models, request, signal)
      for await (const { event, data } of conversation(caller, body, ask, signal))
        if (event === 'done') exchange = data.exchange
      return exchange as Exchange
    },
  }
}

const isDefined = ({ self_definition, mandate, boundaries, agent_type }: Agent): boolean =>
  Boolean(self_definition || mandate || boundaries.length || agent_type)

/** An exchange as a model is told of it. */
const toldOf = ({ agentMessage, icogResponse, provider }: AgentExchangeRow): Message[] => [
  { role: 'user', content: agentMessage },
  { role: 'assistant', content: provider === 'local' ? QUOTED : icogResponse },
]
