import type { answerEvents } from '../../shared/contract/chat.ts'
import type { TokenUsage } from '../../shared/contract/chat-sessions.ts'
import type { EventOf } from '../../shared/contract/endpoint.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ModelFailure } from '../platform/models/failure.ts'
import type { Answerer, ModelEvent, Models } from '../platform/models/types.ts'
import type { ToolEvent } from './attachments.ts'
import {
  askModel,
  type Completion,
  type CompletionDelivery,
  startCompletion,
} from './completion.ts'
import type { LearningService, Utterance } from './learning.ts'
import type { PromptRequest, PromptService } from './prompt.ts'

/** One question with its context, and where its completion is stored. */
export interface Turn<Reference extends object, Stored extends object> {
  /** Ids that the `start` event reports beside the message's. */
  reference: Reference
  /** The id of the completion. */
  messageId: string
  prompt: PromptRequest
  /** Reported before the completion. */
  toolEvents: ToolEvent[]
  /** Undefined for a conversation that is not remembered. */
  learned?: { question: Utterance; answer: Omit<Utterance, 'content'>; isReplacement: boolean }
  /** Stores the completion, or the part of it that the model sent before the turn ended. Called once. */
  store(completion: Completion, memories: RecalledMemory[]): Promise<Stored>
  /** Deletes what was created for the turn. Called when no model answers. */
  discard?(): Promise<void>
}

export type TurnEvent<Reference extends object, Stored extends object> =
  /** The prompt is ready and the model is asked next. For `runCountedTurn` only. */
  | { event: 'asking' }
  | { event: 'start'; data: Reference & Answerer & { message_id: string } }
  | EventOf<typeof answerEvents>
  | { event: 'done'; data: Stored & { usage: TokenUsage } }

export interface TurnOptions {
  delivery: CompletionDelivery
  signal: AbortSignal
  /** Reports the memories before the model is asked. Then a failure of the model comes after an event. */
  memoriesFirst?: boolean
}

export type RunTurn = ReturnType<typeof createRunTurn>

/**
 * One turn of a conversation, the same for chat, talk and direct messages: load the context, recall,
 * assemble the prompt, ask the model, store the completion, learn from it.
 *
 * The stored text is exactly the deltas that were yielded. A turn that is aborted, that its consumer
 * stops reading or that the model breaks off stores what it has as a partial completion.
 */
export const createRunTurn = ({
  prompts,
  models,
  learning,
}: {
  prompts: PromptService
  models: Pick<Models, 'stream' | 'generate'>
  learning: Pick<LearningService, 'learnQuestion' | 'learnAnswer'>
}) =>
  /** @throws ModelFailure when no model answers, or one breaks off. */
  async function* runTurn<Reference extends object, Stored extends object>(
    caller: Caller,
    load: () => Promise<Turn<Reference, Stored>>,
    { delivery, signal, memoriesFirst = false }: TurnOptions,
  ): AsyncGenerator<TurnEvent<Reference, Stored>> {
    const turn = await load()
    const recalled = await prompts.recall(caller, turn.prompt)
    const { learned, prompt } = turn
    const isLearned = learned !== undefined
    const { request, memories, sources } = prompts.assemble(caller, prompt, recalled, isLearned)
    const completion = startCompletion(turn.messageId, request)
    let isSettled = false
    let learningQuestion: Promise<void> | undefined

    const learnQuestion = () => {
      if (learned) learningQuestion ??= learning.learnQuestion(caller, learned.question, memories)
      return learningQuestion
    }
    const storeAndLearn = async (isPartial: boolean) => {
      await learnQuestion()
      isSettled = true
      const received = completion.received(isPartial)
      const stored = await turn.store(received, memories)
      if (learned && received.provider !== 'local' && !isPartial) {
        const { answer, isReplacement } = learned
        const utterance = { ...answer, content: received.content }
        await learning.learnAnswer(caller, utterance, sources, isReplacement)
      }
      return { ...stored, usage: received.usage }
    }

    try {
      if (memoriesFirst) yield { event: 'memories', data: { memories } }
      yield { event: 'asking' }
      for await (const event of askModel(models, request, { delivery, signal })) {
        completion.add(event)
        yield* reported(event, turn, memoriesFirst ? undefined : memories)
        // After the delta, so that the client does not wait for it.
        if (event.type === 'text') void learnQuestion()
      }
      yield { event: 'done', data: await storeAndLearn(false) }
    } catch (error) {
      if (error instanceof ModelFailure && !completion.isStarted()) {
        isSettled = true
        await turn.discard?.()
      }
      throw error
    } finally {
      if (!isSettled && completion.hasText()) await storeAndLearn(true)
      else if (!isSettled) await learnQuestion()
    }
  }

/** The event that the client receives for an event of the model. @param memories unless reported before. */
function* reported<Reference extends object, Stored extends object>(
  event: ModelEvent,
  { reference, messageId, toolEvents }: Turn<Reference, Stored>,
  memories: RecalledMemory[] | undefined,
): Generator<TurnEvent<Reference, Stored>> {
  if (event.type === 'start') {
    const { provider, model } = event
    yield { event: 'start', data: { ...reference, message_id: messageId, provider, model } }
    if (memories) yield { event: 'memories', data: { memories } }
    for (const data of toolEvents) yield { event: 'tool', data }
  } else if (event.type === 'text') {
    yield { event: 'delta', data: { text: event.text } }
  } else if (event.type === 'tool') {
    const { name, id, state, input } = event
    yield { event: 'tool', data: { name, id, state, input } }
  }
}
