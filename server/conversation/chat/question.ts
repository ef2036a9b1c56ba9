import type { ChatRequest, Depth, RegenerateRequest } from '../../../shared/contract/chat.ts'
import { isUuid } from '../../../shared/contract/common.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { ContentPart, Message } from '../../platform/models/types.ts'
import { LOCAL_ANSWER_PLACEHOLDER } from '../../prompt/local-answer.ts'
import {
  checkBlocks,
  fileIdsIn,
  imagePart,
  type MessageContent,
  messageText,
} from '../../prompt/message-content.ts'
import type { Gates } from '../../usage/gates.ts'
import type { ChatMessageService } from '../chat-sessions/messages.ts'
import { type ChatSessionService, chatSessionError } from '../chat-sessions/service.ts'
import type { ChatMessageRow } from '../chat-sessions/table.ts'

const chatError = defineErrors({
  chat_message_empty: {
    status: 422,
    detail: [
      {
        loc: ['body', 'message'],
        type: 'string_too_short',
        msg: 'String should have at least 1 character',
      },
    ],
  },
  nothing_to_regenerate: { status: 409, detail: 'This session has no question to answer again' },
})

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
  chatSessions: Pick<ChatSessionService, 'get'>,
  messages: Pick<ChatMessageService, 'history'>,
  gates: Pick<Gates, 'requireDepth'>,
) => {
  /** @throws ApiError 422 for an empty message or incomplete blocks, 403 for a depth above the tier. */
  const checkInput = (caller: Caller, input: ChatInput): void => {
    const { message, file_ids, content_blocks } = input
    checkBlocks(content_blocks)
    if (!message.trim() && !file_ids.length && !content_blocks.length)
      throw chatError('chat_message_empty')
    if (input.deep) gates.requireDepth(caller, 'deep')
    gates.requireDepth(caller, depthOf(input))
  }

  /** @throws ApiError 404 for a session that does not exist or is another user's. */
  const historyOf = async (caller: Caller, sessionId: string): Promise<ChatMessageRow[]> => {
    if (!isUuid(sessionId)) throw chatSessionError('chat_session_not_found')
    await chatSessions.get(caller, sessionId)
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
      if (!stored) throw chatError('nothing_to_regenerate')
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

/** A stored message with its attachments. */
export const toMessageContent = (row: ChatMessageRow): MessageContent => ({
  message: row.content,
  blocks: row.contentBlocks,
  fileIds: row.fileIds,
  snapshotHash: row.urlSnapshotHash,
})

/** A notice is a message of a reflex: it replies to no question. */
export const isNotice = ({ role, replyTo }: ChatMessageRow): boolean =>
  role === 'assistant' && replyTo === null

/** Replaces a notice in the history: its text may come from a third party, so it is quoted as data. */
const NOTICE_PLACEHOLDER = '(A reflex of the user posted a notice here; the notes quote it.)'

/** A stored message as a prompt's history contains it. */
export const toModelMessage = (row: ChatMessageRow): Message => {
  if (isNotice(row)) return { role: 'assistant', content: NOTICE_PLACEHOLDER }
  if (row.role === 'assistant') {
    const content = row.provider === 'local' ? LOCAL_ANSWER_PLACEHOLDER : row.content
    return { role: 'assistant', content }
  }
  const text = messageText(toMessageContent(row))
  const images = row.contentBlocks.flatMap((block) => imagePart(block) ?? [])
  if (images.length === 0) return { role: 'user', content: text }
  const parts: ContentPart[] = [{ type: 'text', text }, ...images]
  return { role: 'user', content: parts }
}
