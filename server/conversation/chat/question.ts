import type { ChatRequest, Depth, RegenerateRequest } from '../../../shared/contract/chat.ts'
import { isUuid } from '../../../shared/contract/common.ts'
import type { Gates } from '../../billing/gates.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { checkBlocks, fileIdsIn, type MessageContent } from '../../prompt/message-content.ts'
import type { ChatMessageService } from '../chat-sessions/message-service.ts'
import type { ChatSessionService } from '../chat-sessions/service.ts'
import type { ChatMessageRow } from '../chat-sessions/table.ts'
import { conversationError } from '../errors.ts'
import { isNotice, toMessageContent } from './history.ts'

/** More messages than fit into the context window of most models. */
const HISTORY_LIMIT = 200

type ChatInput = Omit<ChatRequest, 'session_id'>

/** A question of a chat session, before its turn. */
export interface ChatQuestion {
  /** Null where the turn creates the session. */
  sessionId: string | null
  input: ChatInput
  content: MessageContent
  /** The messages before the question, oldest first. */
  history: ChatMessageRow[]
  /** The question, where it is stored already. */
  stored: ChatMessageRow | undefined
  /** The answer that the new one replaces. */
  replaced: ChatMessageRow | undefined
}

export type ChatQuestions = ReturnType<typeof createChatQuestions>

/** Finds the question that a request asks, in the session that it belongs to. */
export const createChatQuestions = (
  sessions: Pick<ChatSessionService, 'get'>,
  messages: Pick<ChatMessageService, 'history'>,
  gates: Pick<Gates, 'requireDepth'>,
) => {
  /** @throws ApiError 422 for an empty message or incomplete blocks, 403 for a depth above the tier. */
  const checkInput = (caller: Caller, input: ChatInput): void => {
    const { message, file_ids, content_blocks } = input
    checkBlocks(content_blocks)
    if (!message.trim() && !file_ids.length && !content_blocks.length)
      throw conversationError('chat_message_empty')
    if (input.deep) gates.requireDepth(caller, 'deep')
    gates.requireDepth(caller, depthOf(input))
  }

  /** @throws ApiError 404 for a session that does not exist or is another user's. */
  const historyOf = async (caller: Caller, sessionId: string): Promise<ChatMessageRow[]> => {
    if (!isUuid(sessionId)) throw conversationError('chat_session_not_found')
    await sessions.get(caller, sessionId)
    return messages.history(caller, sessionId, HISTORY_LIMIT)
  }

  return {
    /**
     * A new question. The session's last message is used again when it is the same question, unanswered.
     * @throws ApiError as `checkInput` and `historyOf`.
     */
    async next(caller: Caller, { session_id, ...input }: ChatRequest): Promise<ChatQuestion> {
      checkInput(caller, input)
      const sessionId = session_id ?? null
      const rows = sessionId === null ? [] : await historyOf(caller, sessionId)
      const content = inputContent(input)
      const last = rows.at(-1)
      const stored = last?.role === 'user' && isSameContent(last, content) ? last : undefined
      const history = stored ? rows.slice(0, -1) : rows
      return { sessionId, input, content, history, stored, replaced: undefined }
    },

    /**
     * The last question of a session, to be answered again.
     * @throws ApiError as `next`, and 409 where the session has no question.
     */
    async last(
      caller: Caller,
      { session_id: sessionId, ...input }: RegenerateRequest,
    ): Promise<ChatQuestion> {
      checkInput(caller, input)
      const rows = await historyOf(caller, sessionId)
      const exchanged = rows.filter((row) => !isNotice(row))
      const answer = exchanged.findLast(({ role }) => role === 'assistant')
      const isAnswered = exchanged.at(-1)?.role === 'assistant'
      const stored = isAnswered
        ? rows.find(({ messageId }) => messageId === answer?.replyTo)
        : exchanged.at(-1)
      if (!stored) throw conversationError('nothing_to_regenerate')
      const content = inputContent(input)
      return {
        sessionId,
        input,
        // Clients send the attachments of a question once, not again with each regeneration.
        content: hasAttachments(content)
          ? content
          : { ...toMessageContent(stored), message: content.message },
        history: rows.filter(({ position }) => position < stored.position),
        stored,
        replaced: isAnswered ? answer : undefined,
      }
    },
  }
}

export const depthOf = ({ depth, deep }: ChatInput): Depth => depth ?? (deep ? 'deep' : 'quick')

const inputContent = (input: ChatInput): MessageContent => ({
  message: input.message,
  blocks: input.content_blocks,
  fileIds: input.file_ids,
  snapshotHash: input.url_snapshot_hash ?? null,
})

const hasAttachments = (content: MessageContent): boolean =>
  fileIdsIn(content).length > 0 || content.blocks.length > 0 || content.snapshotHash !== null

const isSameContent = (row: ChatMessageRow, content: MessageContent): boolean =>
  JSON.stringify({ ...toMessageContent(row), snapshotHash: null }) ===
  JSON.stringify({ ...content, snapshotHash: null })
