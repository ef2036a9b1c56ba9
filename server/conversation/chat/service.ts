import type {
  ChatAnswer,
  ChatRequest,
  chatEvents,
  RegenerateRequest,
} from '../../../shared/contract/chat.ts'
import type { EventOf } from '../../../shared/contract/endpoint.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { CompletionDelivery } from '../../prompt/completion.ts'
import type { RunCountedTurn } from '../../prompt/counted-turn.ts'
import type { ChatQuestion, ChatQuestions } from './question.ts'
import type { ChatTurn } from './turn.ts'

type ChatEvents = AsyncGenerator<EventOf<typeof chatEvents>>

export type ChatService = ReturnType<typeof createChatService>

export const createChatService = ({
  questions,
  loadTurn,
  runTurn,
}: {
  questions: ChatQuestions
  loadTurn: (caller: Caller, question: ChatQuestion, signal: AbortSignal) => Promise<ChatTurn>
  runTurn: RunCountedTurn
}) => {
  const run = (
    caller: Caller,
    question: ChatQuestion,
    options: { delivery: CompletionDelivery; signal: AbortSignal },
  ): ChatEvents => runTurn(caller, () => loadTurn(caller, question, options.signal), options)

  return {
    /**
     * @throws ApiError 404 for a session, file or page that does not exist; 403 for a depth above the
     * tier; 429 when the month's messages are used up; 502-504 when no model answers.
     */
    async *stream(caller: Caller, body: ChatRequest, signal: AbortSignal): ChatEvents {
      yield* run(caller, await questions.next(caller, body), { delivery: 'stream', signal })
    },

    /** @throws ApiError as `stream`. */
    async send(caller: Caller, body: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
      const answer: Partial<ChatAnswer> = {}
      const question = await questions.next(caller, body)
      for await (const { event, data } of run(caller, question, { delivery: 'whole', signal })) {
        if (event === 'start') answer.session_id = data.session_id
        if (event === 'memories') answer.memories = data.memories
        if (event === 'done') answer.message = data.message
      }
      return answer as ChatAnswer
    },

    /** @throws ApiError as `stream`, and 409 where the session has no question. */
    async *streamRegenerated(
      caller: Caller,
      body: RegenerateRequest,
      signal: AbortSignal,
    ): ChatEvents {
      yield* run(caller, await questions.last(caller, body), { delivery: 'stream', signal })
    },

    /** @throws ApiError as `streamRegenerated`. */
    async regenerate(caller: Caller, body: RegenerateRequest, signal: AbortSignal): Promise<void> {
      const question = await questions.last(caller, body)
      for await (const _ of run(caller, question, { delivery: 'whole', signal }));
    },
  }
}
