import type { EventOf } from '../../../shared/contract/endpoint.ts'
import type { answering } from '../../../shared/schemas/chat.ts'
import type { TokenUsage } from '../../../shared/schemas/chat-sessions.ts'
import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import { ModelFailure, modelFailureAnswer } from '../../platform/models/failure.ts'
import { estimatePromptTokens, estimateTokens } from '../../platform/models/tokens.ts'
import type { Answerer, ModelEvent, ModelRequest, Models } from '../../platform/models/types.ts'
import type { ToolEvent } from './materials.ts'

/** An answer, or as much of it as there is. */
export interface Given extends Answerer {
  messageId: string
  content: string
  usage: TokenUsage
  isPartial: boolean
}

/** What is asked, and what is done about the answer. */
export interface Turn<Kept> {
  request: ModelRequest
  /** The id of the answer that this one takes the place of. */
  messageId?: string | undefined
  memories: RecalledMemory[]
  /** What is told beforehand. */
  events: ToolEvent[]
  /** Called once somebody answers, or whoever asked has left before. */
  begun(): Promise<void>
  /** Called instead when nobody answers. */
  unanswered(): Promise<void>
  /** Keeps the answer. It is called once, where there is any. */
  keep(given: Given): Promise<Kept>
}

export type AnswerEvent<Kept> =
  | { event: 'start'; data: Answerer & { message_id: string } }
  | EventOf<typeof answering>
  | { event: 'done'; kept: Kept; usage: TokenUsage }

/**
 * Has a model answer and tells of it as it goes. However it ends, what was said by then is kept: the
 * deltas that were told, joined, are what is stored.
 * @throws ApiError when no model answers, or one breaks off.
 */
export async function* answer<Kept>(
  source: AsyncIterable<ModelEvent>,
  turn: Turn<Kept>,
): AsyncGenerator<AnswerEvent<Kept>> {
  const messageId = turn.messageId ?? Bun.randomUUIDv7()
  let content = ''
  let answerer: Answerer | undefined
  let usage: TokenUsage | undefined
  let begun: Promise<void> | undefined
  let isSettled = false

  const keep = (isPartial: boolean): Promise<Kept> => {
    isSettled = true
    const who = answerer ?? { provider: 'local', model: null }
    return turn.keep({ ...who, messageId, content, usage: counted(), isPartial })
  }
  const counted = () => usage ?? estimatedUsage(turn.request, content)
  const begin = () => {
    begun ??= turn.begun()
    return begun
  }

  try {
    for await (const event of source) {
      if (event.type === 'start') {
        answerer = { provider: event.provider, model: event.model }
        yield { event: 'start', data: { message_id: messageId, ...answerer } }
        yield { event: 'memories', data: { memories: turn.memories } }
        for (const data of turn.events) yield { event: 'tool', data }
      } else if (event.type === 'text') {
        content += event.text
        yield { event: 'delta', data: { text: event.text } }
        // Not before: whoever reads waits for the first words.
        begin()
      } else if (event.type === 'tool') {
        const { name, id, state, input } = event
        yield { event: 'tool', data: { name, id, state, input } }
      } else {
        usage = event.usage
      }
    }
    await begin()
    const kept = await keep(false)
    yield { event: 'done', kept, usage: counted() }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    if (!answerer) {
      isSettled = true
      await turn.unanswered()
    }
    throw modelFailureAnswer(error)
  } finally {
    if (!isSettled) {
      await begin()
      if (content) await keep(true)
    }
  }
}

/** The whole answer as one piece: one that breaks off is given by the next provider instead. */
export async function* whole(
  models: Models,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { provider, model, text, usage, reason } = await models.generate(request, signal)
  yield { type: 'start', provider, model }
  yield { type: 'text', text }
  yield { type: 'finish', usage, reason }
}

const estimatedUsage = (request: ModelRequest, text: string): TokenUsage => ({
  input_tokens: estimatePromptTokens(request),
  output_tokens: estimateTokens(text),
  estimated: true,
})
