import type {
  ChatAnswer,
  ChatRequest,
  chatEvents,
  RegenerateRequest,
} from '../../../shared/contract/chat.ts'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import type { EventOf } from '../../../shared/contract/endpoint.ts'
import { chat, chatStream, listChatModels, regenerate } from '../../../shared/contract/index.ts'
import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Models } from '../../platform/models/types.ts'
import type { CompletionOptions } from '../../prompt/completion.ts'
import type { TurnService } from '../../prompt/turn.ts'
import type { ChatMessageWriter, NewAnswer } from '../chat-sessions/messages.ts'
import type { ChatSessionService } from '../chat-sessions/service.ts'
import { type ChatPreparationDeps, type PreparedChat, prepareChat } from './preparation.ts'
import type { ChatQuestion, ChatQuestions } from './question.ts'

type ChatEvents = AsyncGenerator<EventOf<typeof chatEvents>>

interface ChatDeps extends ChatPreparationDeps {
  questions: ChatQuestions
  chatSessions: Pick<ChatSessionService, 'createForMessage' | 'delete'>
  messageWriter: ChatMessageWriter
  turns: TurnService
}

export type ChatService = ReturnType<typeof createChatService>

export const createChatService = (deps: ChatDeps) => {
  const { questions, chatSessions, messageWriter, turns } = deps

  const storeAnswer = (
    caller: Caller,
    { sessionId, questionId, messageId, lesson }: PreparedChat,
    answer: NewAnswer,
  ): Promise<ChatMessage> =>
    lesson.isReplacement
      ? messageWriter.replaceAnswer(caller, sessionId, messageId, answer)
      : messageWriter.addAnswer(caller, sessionId, { messageId, replyTo: questionId }, answer)

  const answer = (caller: Caller, question: ChatQuestion, options: CompletionOptions): ChatEvents =>
    turns.answer(
      caller,
      async () => {
        const prepared = await prepareChat(deps, caller, question)
        const { sessionId, messageId, prompt, toolEvents, lesson } = prepared
        return {
          ids: { session_id: sessionId, message_id: messageId },
          prompt,
          toolEvents,
          lesson,
          async store(completion, { memories, context }) {
            const message = await storeAnswer(caller, prepared, {
              ...completion,
              isUnread: options.signal.aborted,
              memories: memories.map(({ memory_id, score }) => ({ memory_id, score })),
              context: completion.model === null ? null : context,
            })
            return { message }
          },
          async discard() {
            // The caller has not received the id of a new session.
            if (question.sessionId === null) await chatSessions.delete(caller, sessionId)
          },
        }
      },
      options,
    )

  return {
    /**
     * @throws ApiError 404 for a session, file or page that does not exist; 403 for a depth above the
     * tier; 429 when the month's messages are used up; 502-504 when no model answers.
     */
    async *stream(caller: Caller, body: ChatRequest, signal: AbortSignal): ChatEvents {
      yield* answer(caller, await questions.next(caller, body), { delivery: 'stream', signal })
    },

    /** @throws ApiError as `stream`. */
    async send(caller: Caller, body: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
      let memories: RecalledMemory[] = []
      let message: ChatMessage | undefined
      const question = await questions.next(caller, body)
      for await (const { event, data } of answer(caller, question, { delivery: 'whole', signal })) {
        if (event === 'memories') memories = data.memories
        if (event === 'done') message = data.message
      }
      if (!message) throw new Error('a turn ended without an answer')
      return { session_id: message.session_id, message, memories }
    },

    /** @throws ApiError as `stream`, and 409 where the session has no question. */
    async *streamRegenerated(
      caller: Caller,
      body: RegenerateRequest,
      signal: AbortSignal,
    ): ChatEvents {
      yield* answer(caller, await questions.last(caller, body), { delivery: 'stream', signal })
    },

    /** @throws ApiError as `streamRegenerated`. */
    async regenerate(caller: Caller, body: RegenerateRequest, signal: AbortSignal): Promise<void> {
      const question = await questions.last(caller, body)
      for await (const _ of answer(caller, question, { delivery: 'whole', signal }));
    },
  }
}

/** Every model that can answer, in the order in which they do, and the quotes of memories after them. */
const chatModels = (models: Pick<Models, 'states'>) => [
  ...models.states().map(({ provider, model, state }) => ({
    provider,
    model,
    is_available: state !== 'open',
  })),
  { provider: 'local', model: null, is_available: true },
]

export const chatRoutes = (
  mount: Mount,
  chats: ChatService,
  models: Pick<Models, 'states'>,
): void => {
  mount(listChatModels, () => ({ models: chatModels(models) }))
  mount(chat, ({ caller, body, signal, disableIdleTimeout }) => {
    disableIdleTimeout()
    return chats.send(caller, body, signal)
  })
  mount(chatStream, ({ caller, body, signal }) => chats.stream(caller, body, signal))
  mount(regenerate, async ({ caller, body, signal, wantsStream, disableIdleTimeout }) => {
    if (wantsStream) return chats.streamRegenerated(caller, body, signal)
    disableIdleTimeout()
    await chats.regenerate(caller, body, signal)
    return null
  })
}
