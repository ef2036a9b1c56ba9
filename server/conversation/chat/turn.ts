import type { ChatMessage } from '../../../shared/contract/chat-sessions.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Attachments } from '../../prompt/attachments.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { MemoryPlacement } from '../../prompt/learning.ts'
import { messageText } from '../../prompt/message-content.ts'
import { displayName } from '../../prompt/prompt.ts'
import type { DataItem } from '../../prompt/quoted-data.ts'
import { DEPTHS, recallQuery } from '../../prompt/recall.ts'
import type { Turn } from '../../prompt/turn.ts'
import type { ChatMessageWriter } from '../chat-sessions/message-writer.ts'
import type { ChatSessionService } from '../chat-sessions/service.ts'
import type { ChatMessageRow } from '../chat-sessions/table.ts'
import { isNotice, toMessageContent, toModelMessage } from './history.ts'
import { type ChatQuestion, depthOf } from './question.ts'

/** Older notices are not shown to the model. */
const MAX_NOTICES = 5
const ASSISTANT = 'svc'

export type ChatTurn = Turn<{ session_id: string }, { message: ChatMessage }>

/** A reflex of the caller as text; undefined where it does not exist. */
export type DescribeReflex = (caller: Caller, reflexId: string) => Promise<string | undefined>

interface ChatTurnDeps {
  sessions: Pick<ChatSessionService, 'createForMessage' | 'delete'>
  messageWriter: ChatMessageWriter
  attachments: Pick<Attachments, 'load'>
  describeReflex: DescribeReflex
}

/** Stores the question, in a new session where it has none, and loads the context of its turn. */
export const createLoadChatTurn =
  ({ sessions, messageWriter, attachments, describeReflex }: ChatTurnDeps) =>
  /** @throws ApiError 404 for a file or page that does not exist. */
  async (caller: Caller, question: ChatQuestion, signal: AbortSignal): Promise<ChatTurn> => {
    const { input, content, history, replaced } = question
    const loaded = await attachments.load(
      caller,
      content,
      history.filter(({ role }) => role === 'user').map(toMessageContent),
    )
    const sessionId = question.sessionId ?? (await sessions.createForMessage(caller))
    const questionId =
      question.stored?.messageId ??
      (await messageWriter.addQuestion(caller, sessionId, {
        content: content.message,
        contentBlocks: content.blocks,
        fileIds: content.fileIds,
        urlSnapshotHash: loaded.snapshotHash,
      }))
    const notes = [
      ...noticeNotes(history),
      ...(await reflexNotes(describeReflex, caller, input.existing_reflex_id)),
    ]
    const placement = placementOf(sessionId)
    const messageId = replaced?.messageId ?? Bun.randomUUIDv7()
    const message = messageText(content)
    return {
      reference: { session_id: sessionId },
      messageId,
      prompt: {
        ...promptOptions(question),
        message,
        recall: recallRequest(question, message, questionId),
        attachments: { images: loaded.images, texts: [...loaded.texts, ...notes] },
        history: history.map(toModelMessage),
        note: { ...placement, author: ASSISTANT, ref: questionId },
      },
      toolEvents: loaded.toolEvents,
      learned: {
        question: { ...placement, content: message, author: displayName(caller), ref: questionId },
        answer: { ...placement, author: ASSISTANT, ref: messageId },
        isReplacement: replaced !== undefined,
      },
      async store(completion, memories) {
        const answer = {
          ...answerFields(completion),
          isUnread: signal.aborted,
          memories: memories.map(({ memory_id, score }) => ({ memory_id, score })),
        }
        const stored = replaced
          ? await messageWriter.replaceAnswer(caller, sessionId, messageId, answer)
          : await messageWriter.addAnswer(
              caller,
              sessionId,
              { messageId, replyTo: questionId },
              answer,
            )
        return { message: stored }
      },
      async discard() {
        // The caller has not received the id of a new session.
        if (question.sessionId === null) await sessions.delete(caller, sessionId)
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

const recallRequest = ({ input, history }: ChatQuestion, message: string, questionId: string) => ({
  query: recallQuery(message, history.findLast(({ role }) => role === 'user')?.content),
  limit: DEPTHS[depthOf(input)].memories,
  scope: 'all' as const,
  agentSlug: null,
  except: new Set([...history.map(({ messageId }) => messageId), questionId]),
})

const answerFields = ({ content, provider, model, usage, isPartial }: Completion) => ({
  content,
  provider,
  model,
  usage,
  isPartial,
})

const noticeNotes = (history: ChatMessageRow[]): DataItem[] =>
  history
    .filter(isNotice)
    .slice(-MAX_NOTICES)
    .map(({ content, createdAt }) => ({
      kind: 'note',
      attributes: { from: 'a reflex', at: createdAt.toISOString() },
      text: content,
    }))

const reflexNotes = async (
  describeReflex: DescribeReflex,
  caller: Caller,
  reflexId: string | null | undefined,
): Promise<DataItem[]> => {
  const description = reflexId ? await describeReflex(caller, reflexId) : undefined
  if (!description) return []
  return [{ kind: 'note', attributes: {}, text: `It is about this reflex: ${description}` }]
}
