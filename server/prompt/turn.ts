import type { TokenUsage } from '../../shared/contract/chat-messages.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ModelFailure, modelFailureAnswer } from '../platform/models/failure.ts'
import type { Models } from '../platform/models/types.ts'
import type { UsageService } from '../usage/counts/service.ts'
import {
  type Completion,
  type CompletionOptions,
  type RunningCompletion,
  type StreamedAnswerEvent,
  startCompletion,
  type ToolEvent,
  toAnswerEvents,
} from './completion.ts'
import type { LearningService, TurnLesson } from './learning.ts'
import type { PromptRequest, PromptService, StoredContext } from './prompt.ts'

interface TurnDeps {
  prompts: PromptService
  models: Pick<Models, 'stream' | 'generate'>
  learning: Pick<LearningService, 'startTurn'>
  usage: Pick<UsageService, 'consume' | 'refund'>
}

/** The memories and the context that the model was shown, for the stored answer. */
interface Shown {
  memories: RecalledMemory[]
  context: StoredContext
}

/** A message with the context of its answer. */
export interface Turn<Ids extends object, Stored extends object> {
  /** The ids that the `start` event reports. */
  ids: Ids
  prompt: PromptRequest
  /** Reported before the text. */
  toolEvents: ToolEvent[]
  lesson: TurnLesson
  /** Stores the answer, complete or in part, and returns what the `done` event reports. */
  store(completion: Completion, shown: Shown): Promise<Stored>
  /** Runs if no model began to answer. */
  discard?(): Promise<void>
}

export interface TurnOptions extends CompletionOptions {
  /** Reports the memories before the model is asked. */
  memoriesFirst?: boolean
}

type TurnEvents<Ids extends object, Stored extends object> = AsyncGenerator<
  StreamedAnswerEvent<Ids> | { event: 'done'; data: Stored & { usage: TokenUsage } }
>

export type TurnService = ReturnType<typeof createTurnService>

export const createTurnService = ({ prompts, models, learning, usage }: TurnDeps) => ({
  /**
   * Answers a message. The stored text is exactly the deltas that were sent: if the client disconnects or
   * the model breaks off, the received part is stored. The caller pays for an answer, in part too, and for
   * a disconnect from a running model.
   */
  async *answer<Ids extends object, Stored extends object>(
    caller: Caller,
    prepare: () => Promise<Turn<Ids, Stored>>,
    { memoriesFirst = false, ...options }: TurnOptions,
  ): TurnEvents<Ids, Stored> {
    const receipt = await usage.consume(caller.userId, 'messages')
    let completion: RunningCompletion | undefined
    try {
      // Prepare.
      const turn = await prepare()
      const { request, ...shown } = await prompts.prepare(caller, turn.prompt, { isLearned: true })
      const { memories } = shown
      const lesson = learning.startTurn(caller, turn.lesson, shown)
      const running = startCompletion(models, request, options)
      completion = running
      const store = () => turn.store(running.received(), shown)

      // Stream.
      const { ids, toolEvents } = turn
      try {
        for await (const event of toAnswerEvents(running, {
          ids,
          memories,
          memoriesFirst,
          toolEvents,
        })) {
          yield event
          // After the delta, so that the client does not wait for it.
          if (event.event === 'delta') void lesson.learnMessage()
        }
      } finally {
        if (running.isUnanswered()) await turn.discard?.()
        else await lesson.learnMessage()
        if (running.isCutOff()) await store()
      }

      // Store.
      const stored = await store()

      // Learn.
      const received = running.received()
      await lesson.learnCompletion(received)
      yield { event: 'done', data: { ...stored, usage: received.usage } }
    } catch (error) {
      throw error instanceof ModelFailure ? modelFailureAnswer(error) : error
    } finally {
      if (!completion?.isPaid()) await usage.refund(receipt)
    }
  },
})
