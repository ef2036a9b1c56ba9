/** The turns of all chats: each goes on while the user looks at another screen. */

import { type Answer, isRunning, NO_ANSWER } from '../../../shared/answer.ts'
import { readAnswer } from '../../../shared/answer-stream.ts'
import type { CallArgs } from '../../../shared/client.ts'
import { type ChatEvent, chatStream, regenerate } from '../../../shared/contract/chat.ts'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import { titleChatSession } from '../../../shared/contract/chat-sessions.ts'
import { asStream } from '../../../shared/contract/endpoint.ts'
import type { StoredFile } from '../../../shared/contract/files.ts'
import type { UrlPage } from '../../../shared/contract/url.ts'
import { callApi, callStream } from '../../session/client.ts'
import { chat as texts } from '../../texts/chat.ts'
import { changeDraft, clearDraft, type Draft, drafts, NEW_CHAT, storedFiles } from './drafts.ts'
import { createKeyedStore } from './keyed-store.ts'
import { cachedMessages, refetchMessages, refetchSessions } from './messages-query.ts'

export interface ChatTurn extends Answer {
  /** The new question; null for another answer to the last one. */
  question: { text: string; files: readonly StoredFile[]; page: UrlPage | null } | null
  /** The last message above the turn. Later ones of the server are part of it. */
  afterId: string | null
}

type Options = Pick<Draft, 'depth' | 'tools' | 'provider'>

export const turns = createKeyedStore<ChatTurn | undefined>(undefined)
const aborts = new Map<string, AbortController>()

export const useTurn = turns.use

/** Stops the model. The server keeps the part that it sent. */
export const stopTurn = (key: string): void => aborts.get(key)?.abort()

export const dismissTurn = (key: string): void => turns.set(key, undefined)

/** Whether the messages of the server have the result of an ended turn. */
export const isStored = (turn: ChatTurn, messages: readonly ChatMessage[]): boolean => {
  if (isRunning(turn)) return false
  if (turn.text)
    return messages.some(
      ({ id, content }) => id === turn.messageId && content.startsWith(turn.text),
    )
  const last = messages.at(-1)
  return !turn.question || (last?.id !== turn.afterId && last?.content === turn.question.text)
}

const SETTLE_DELAYS_MS = [0, 250, 500, 1000, 2000]

/** After a stop the partial answer is stored a moment later. */
const settle = async (sessionId: string, turn: ChatTurn): Promise<void> => {
  for (const delay of SETTLE_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    await refetchMessages(sessionId)
    if (turn.text === '' || isStored(turn, cachedMessages(sessionId))) break
  }
  void refetchSessions()
}

/** A chat that cannot be named keeps the beginning of its first message. */
const nameChat = async (sessionId: string): Promise<void> => {
  await callApi(titleChatSession, { params: { session_id: sessionId } }).catch(() => {})
  void refetchSessions()
}

interface Running {
  key: string
  /** Called with the id of the session that a first message created. */
  onSession?: (sessionId: string) => void
}

const run = async (
  { key, onSession }: Running,
  context: Pick<ChatTurn, 'question' | 'afterId'>,
  open: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>,
): Promise<{ sessionId: string | undefined; turn: ChatTurn }> => {
  const abort = new AbortController()
  let current = key
  aborts.set(key, abort)
  turns.set(key, { ...NO_ANSWER, ...context })
  const answer = await readAnswer(() => open(abort.signal), {
    signal: abort.signal,
    lostText: texts.answer.lost,
    onChange: (soFar, event) => {
      if (event.event === 'start' && current === NEW_CHAT) {
        current = event.data.session_id
        const { depth, tools, provider } = drafts.get(key)
        changeDraft(current, { depth, tools, provider })
        aborts.delete(key)
        aborts.set(current, abort)
        turns.set(current, { ...soFar, ...context })
        turns.set(key, undefined)
        onSession?.(current)
        void refetchSessions()
      } else turns.set(current, { ...soFar, ...context })
    },
  })
  aborts.delete(current)
  const turn = { ...answer, ...context }
  turns.set(current, turn)
  const sessionId = current === NEW_CHAT ? undefined : current
  if (sessionId) await settle(sessionId, turn)
  if (sessionId && key === NEW_CHAT && turn.phase === 'done') void nameChat(sessionId)
  return { sessionId, turn }
}

const optionsOf = ({ depth, tools, provider }: Options) => ({
  depth,
  tools: [...tools],
  ...(provider && { provider }),
})

/** Sends the draft of a chat. If the server does not accept it, the draft is restored. */
export const sendDraft = async (running: Running): Promise<void> => {
  const { key } = running
  const draft = drafts.get(key)
  const sessionId = key === NEW_CHAT ? undefined : key
  const files = storedFiles(draft)
  const body: CallArgs<typeof chatStream>['body'] = {
    message: draft.text,
    file_ids: files.map(({ id }) => id),
    ...optionsOf(draft),
    ...(draft.page && { url_snapshot_hash: draft.page.snapshot_hash }),
    ...(sessionId && { session_id: sessionId }),
  }
  clearDraft(key)
  const { turn, sessionId: answeredId } = await run(
    running,
    {
      question: { text: draft.text, files, page: draft.page },
      afterId: (sessionId && cachedMessages(sessionId).at(-1)?.id) ?? null,
    },
    (signal) => callStream(chatStream, { body, signal }),
  )
  const isRefused = turn.phase !== 'done' && turn.messageId === null
  if (isRefused && !(sessionId && isStored(turn, cachedMessages(sessionId)))) {
    const { text, files: added } = drafts.get(key)
    if (!text && !added.length) changeDraft(key, { ...draft })
    // The message is in the field again, so the turn shows its error only.
    turns.set(answeredId ?? key, { ...turn, question: null })
  }
}

/** Answers the last question of a chat again, or for the first time. */
export const regenerateAnswer = async (
  sessionId: string,
  question: ChatMessage,
  page?: UrlPage,
): Promise<void> => {
  const body = {
    session_id: sessionId,
    message: question.content,
    ...optionsOf(drafts.get(sessionId)),
    // The attachments of the question are used again, but a request needs a text or attachments.
    ...(question.content.trim() === '' && {
      file_ids: question.file_ids,
      content_blocks: question.content_blocks,
    }),
    ...(page && { url_snapshot_hash: page.snapshot_hash }),
  }
  await run({ key: sessionId }, { question: null, afterId: question.id }, (signal) =>
    callStream(asStream(regenerate), { body, signal }),
  )
}
