import type { Caller } from '../../platform/http/caller.ts'
import type { Attachments } from '../../prompt/attachments.ts'
import type { ToolEvent } from '../../prompt/completion.ts'
import type { MemoryPlacement, TurnLesson } from '../../prompt/learning.ts'
import { messageText } from '../../prompt/message-content.ts'
import { displayName, type PromptRequest } from '../../prompt/prompt.ts'
import type { DataItem } from '../../prompt/quoted-data.ts'
import { DEPTHS, type PromptRecall, recallQuery } from '../../prompt/recall.ts'
import type { ChatMessageWriter } from '../chat-sessions/messages.ts'
import type { ChatSessionService } from '../chat-sessions/service.ts'
import type { ChatMessageRow } from '../chat-sessions/table.ts'
import {
  type ChatQuestion,
  depthOf,
  isNotice,
  toMessageContent,
  toModelMessage,
} from './question.ts'

/** Older notices are not shown to the model. */
const MAX_NOTICES = 5
const ASSISTANT = 'svc'

/** A stored question with the context of its answer. */
export interface PreparedChat {
  sessionId: string
  questionId: string
  /** The id of the answer: a new one, or that of the answer that it replaces. */
  messageId: string
  prompt: PromptRequest
  toolEvents: ToolEvent[]
  lesson: TurnLesson
}

/** A reflex of the caller as text; undefined where it does not exist. */
export type DescribeReflex = (caller: Caller, reflexId: string) => Promise<string | undefined>

export interface ChatPreparationDeps {
  chatSessions: Pick<ChatSessionService, 'createForMessage'>
  messageWriter: Pick<ChatMessageWriter, 'addQuestion'>
  attachments: Pick<Attachments, 'load'>
  /** Undefined without automation: then no reflex exists. */
  describeReflex: DescribeReflex | undefined
}

/**
 * Loads the attachments of a question, and stores it, in a new session where it has none.
 * @throws ApiError 404 for a file or page that does not exist.
 */
export const prepareChat = async (
  { chatSessions, messageWriter, attachments, describeReflex }: ChatPreparationDeps,
  caller: Caller,
  question: ChatQuestion,
): Promise<PreparedChat> => {
  const { input, content, history, replaced } = question
  const { images, texts, toolEvents, snapshotHash } = await attachments.load(
    caller,
    content,
    history.filter(({ role }) => role === 'user').map(toMessageContent),
  )
  const sessionId = question.sessionId ?? (await chatSessions.createForMessage(caller))
  const questionId =
    question.stored?.messageId ??
    (await messageWriter.addQuestion(caller, sessionId, {
      content: content.message,
      contentBlocks: content.blocks,
      fileIds: content.fileIds,
      urlSnapshotHash: snapshotHash,
    }))
  const reflex = await reflexItems(describeReflex, caller, input.existing_reflex_id)
  const placement = placementOf(sessionId)
  const messageId = replaced?.messageId ?? Bun.randomUUIDv7()
  const message = messageText(content)
  return {
    sessionId,
    questionId,
    messageId,
    prompt: {
      ...promptOptions(question),
      message,
      recall: recallRequest(question, message, question.stored?.originalId ?? questionId),
      attachments: { images, texts: [...texts, ...noticeItems(history), ...reflex] },
      history: history.map(toModelMessage),
      toolMemories: { ...placement, author: ASSISTANT, ref: questionId },
    },
    toolEvents,
    lesson: {
      message: { ...placement, content: message, author: displayName(caller), ref: questionId },
      completion: { ...placement, author: ASSISTANT, ref: messageId },
      isReplacement: replaced !== undefined,
    },
  }
}

const placementOf = (sessionId: string): MemoryPlacement => ({
  thread: `session:${sessionId}`,
  memoryType: 'episodic',
  agentSlug: null,
})

const promptOptions = ({ input }: ChatQuestion) => {
  const depth = depthOf(input)
  const { provider, tools, geo_lat, geo_lon } = input
  return {
    provider,
    tools: depth === 'quick' ? tools : [...tools, 'recall'],
    maxSteps: tools.length ? 0 : DEPTHS[depth].steps,
    location:
      typeof geo_lat === 'number' && typeof geo_lon === 'number'
        ? { latitude: geo_lat, longitude: geo_lon }
        : undefined,
  }
}

const recallRequest = (
  { input, history }: ChatQuestion,
  message: string,
  questionId: string,
): PromptRecall => ({
  query: recallQuery(message, history.findLast(({ role }) => role === 'user')?.content),
  limit: DEPTHS[depthOf(input)].memories,
  scope: 'all',
  agentSlug: null,
  except: new Set([
    ...history.map(({ messageId, originalId }) => originalId ?? messageId),
    questionId,
  ]),
})

const noticeItems = (history: ChatMessageRow[]): DataItem[] =>
  history
    .filter(isNotice)
    .slice(-MAX_NOTICES)
    .map(({ content, createdAt }) => ({
      kind: 'note',
      attributes: { from: 'a reflex', at: createdAt.toISOString() },
      text: content,
    }))

const reflexItems = async (
  describeReflex: DescribeReflex | undefined,
  caller: Caller,
  reflexId: string | null | undefined,
): Promise<DataItem[]> => {
  const description = reflexId ? await describeReflex?.(caller, reflexId) : undefined
  if (!description) return []
  return [{ kind: 'note', attributes: {}, text: `It is about this reflex: ${description}` }]
}
