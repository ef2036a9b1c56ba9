import type { Static } from '@sinclair/typebox'
import type { answerEvents } from '../../shared/contract/chat.ts'
import type { TokenUsage } from '../../shared/contract/chat-messages.ts'
import type { EventOf } from '../../shared/contract/endpoint.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { hasDisconnected } from '../platform/http/disconnect.ts'
import { ModelFailure } from '../platform/models/failure.ts'
import { estimatePromptTokens, estimateTokens } from '../platform/models/prompt.ts'
import type { Answerer, ModelEvent, ModelRequest, Models } from '../platform/models/types.ts'

export interface CompletionOptions {
  /** Piece by piece, or as one piece: a whole answer that breaks off is given by the next provider. */
  delivery: 'stream' | 'whole'
  signal: AbortSignal
}

/** The output of a model, complete or as far as it was received. */
export interface Completion extends Answerer {
  content: string
  usage: TokenUsage
  isPartial: boolean
}

/** A completion while the model generates it. */
export type RunningCompletion = ReturnType<typeof startCompletion>

export const startCompletion = (
  models: Pick<Models, 'stream' | 'generate'>,
  request: ModelRequest,
  { delivery, signal }: CompletionOptions,
) => {
  let content = ''
  let answerer: Answerer | undefined
  let usage: TokenUsage | undefined
  let isRequested = false
  let isComplete = false
  let isUnanswered = false

  const add = (event: ModelEvent): void => {
    if (event.type === 'start') answerer = { provider: event.provider, model: event.model }
    else if (event.type === 'text') content += event.text
    else if (event.type === 'finish') usage = event.usage
  }

  return {
    /**
     * Requests the completion and returns the events of the model, once.
     * @throws ModelFailure when no model answers, or one breaks off.
     */
    async *events(): AsyncGenerator<ModelEvent> {
      isRequested = !signal.aborted
      try {
        const events =
          delivery === 'stream'
            ? models.stream(request, signal)
            : generateWhole(models, request, signal)
        for await (const event of events) {
          add(event)
          yield event
        }
        isComplete = true
      } catch (error) {
        isUnanswered = error instanceof ModelFailure && answerer === undefined
        throw error
      }
    },

    /** The output so far. Usage is estimated where the provider did not report it. */
    received: (): Completion => ({
      ...(answerer ?? { provider: 'local', model: null }),
      content,
      usage: usage ?? estimateUsage(request, content),
      isPartial: !isComplete,
    }),

    /** Whether the model sent a part of its text, and the rest was not received. */
    isCutOff: (): boolean => content !== '' && !isComplete,

    /** Whether all providers failed before they began to answer. */
    isUnanswered: (): boolean => isUnanswered,

    /** Whether the caller pays: text was received, or the client disconnected from a running model. */
    isPaid: (): boolean => content !== '' || (isRequested && hasDisconnected(signal)),
  }
}

async function* generateWhole(
  models: Pick<Models, 'generate'>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { provider, model, text, usage, reason } = await models.generate(request, signal)
  yield { type: 'start', provider, model }
  yield { type: 'text', text }
  yield { type: 'finish', usage, reason }
}

const estimateUsage = (request: ModelRequest, text: string): TokenUsage => ({
  input_tokens: estimatePromptTokens(request),
  output_tokens: estimateTokens(text),
  estimated: true,
})

export type ToolEvent = Static<typeof answerEvents.tool>

export type StreamedAnswerEvent<Ids extends object> =
  | { event: 'start'; data: Ids & Answerer }
  | EventOf<typeof answerEvents>

/** Converts the events of a model to those that the client of a turn receives before `done`. */
export async function* toAnswerEvents<Ids extends object>(
  completion: Pick<RunningCompletion, 'events'>,
  {
    ids,
    memories,
    memoriesFirst = false,
    toolEvents,
  }: {
    /** The ids that the `start` event reports. */
    ids: Ids
    memories: RecalledMemory[]
    /** Reports the memories before the model is asked. Then a failure of the model comes after an event. */
    memoriesFirst?: boolean | undefined
    /** Reported before the text. */
    toolEvents: ToolEvent[]
  },
): AsyncGenerator<StreamedAnswerEvent<Ids>> {
  if (memoriesFirst) yield { event: 'memories', data: { memories } }
  for await (const event of completion.events()) {
    if (event.type === 'start') {
      const { provider, model } = event
      yield { event: 'start', data: { ...ids, provider, model } }
      if (!memoriesFirst) yield { event: 'memories', data: { memories } }
      for (const data of toolEvents) yield { event: 'tool', data }
    } else if (event.type === 'text') {
      yield { event: 'delta', data: { text: event.text } }
    } else if (event.type === 'tool') {
      const { name, id, state, input } = event
      yield { event: 'tool', data: { name, id, state, input } }
    }
  }
}
