import type { TokenUsage } from '../../shared/contract/chat-sessions.ts'
import { estimatePromptTokens, estimateTokens } from '../platform/models/prompt.ts'
import type { Answerer, ModelEvent, ModelRequest, Models } from '../platform/models/types.ts'

/** The output of a model, complete or as far as it was received. */
export interface Completion extends Answerer {
  messageId: string
  content: string
  usage: TokenUsage
  isPartial: boolean
}

/** Piece by piece, or as one piece: a whole answer that breaks off is given by the next provider. */
export type CompletionDelivery = 'stream' | 'whole'

export const askModel = (
  models: Pick<Models, 'stream' | 'generate'>,
  request: ModelRequest,
  { delivery, signal }: { delivery: CompletionDelivery; signal: AbortSignal },
): AsyncIterable<ModelEvent> =>
  delivery === 'stream' ? models.stream(request, signal) : generateWhole(models, request, signal)

async function* generateWhole(
  models: Pick<Models, 'stream' | 'generate'>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { provider, model, text, usage, reason } = await models.generate(request, signal)
  yield { type: 'start', provider, model }
  yield { type: 'text', text }
  yield { type: 'finish', usage, reason }
}

/** Collects the events of one completion. */
export const startCompletion = (messageId: string, request: ModelRequest) => {
  let content = ''
  let answerer: Answerer | undefined
  let usage: TokenUsage | undefined
  return {
    add(event: ModelEvent): void {
      if (event.type === 'start') answerer = { provider: event.provider, model: event.model }
      else if (event.type === 'text') content += event.text
      else if (event.type === 'finish') usage = event.usage
    },
    /** Whether a provider has begun to answer. */
    isStarted: () => answerer !== undefined,
    hasText: () => content !== '',
    /** Usage is estimated where the provider did not report it. */
    received: (isPartial: boolean): Completion => ({
      ...(answerer ?? { provider: 'local', model: null }),
      messageId,
      content,
      usage: usage ?? estimateUsage(request, content),
      isPartial,
    }),
  }
}

const estimateUsage = (request: ModelRequest, text: string): TokenUsage => ({
  input_tokens: estimatePromptTokens(request),
  output_tokens: estimateTokens(text),
  estimated: true,
})
