import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answer, isRunning } from '../../shared/answer.ts'
import type { ChatEvent } from '../../shared/contract/chat.ts'
import type { ChatMessage, StoredFile } from './api.ts'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'
import { useAnswer } from './use-answer.ts'
import { useChatMessages } from './use-chat-messages.ts'

export interface ChatOptions {
  /** The session to continue. Default: a new one, from the first message on. */
  sessionId?: string | undefined
  /** The tools that the model may use. Default: none. */
  tools?: readonly ('recall' | 'remember' | 'fetch_url')[] | undefined
}

export interface ChatState {
  sessionId: string | undefined
  /** The stored messages, oldest first: the latest 50, and those of `loadEarlier`. */
  messages: readonly ChatMessage[]
  /** Whether the session may have messages before these. */
  hasEarlier: boolean
  /** The files that the next message attaches. */
  attachments: readonly StoredFile[]
  /** The message that is being answered, and that the messages do not contain yet. */
  question: string | undefined
  /** The answer while it arrives, and the part that a failed or stopped one has. */
  answer: Answer | undefined
  isAnswering: boolean
  /** Why the last answer failed, the messages could not be loaded, or a file not be attached. */
  error: Error | undefined
  /** Sends a message with the attachments. Neither it nor the others throw: `error` has the failure. */
  send(message: string): Promise<void>
  /** Answers the last message again. The server keeps the answer before as a version. */
  regenerate(): Promise<void>
  loadEarlier(): Promise<void>
  /** Copies the session up to a message into a new one, and goes on there. */
  branch(messageId: string): Promise<void>
  /** Uploads a file for the next message. A `File` has a name. */
  attach(file: Blob): Promise<void>
  detach(fileId: string): void
  /** Stops the model. The server keeps the part that it sent. */
  stop(): void
}

const LOST = 'The connection was lost while the answer arrived'

type Open = (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>

/** A chat that remembers: its messages, and the answer that arrives. */
export const useChat = ({ sessionId: initialId, tools }: ChatOptions = {}): ChatState => {
  const { methods } = useSvc()
  const [sessionId, setSessionId] = useState(initialId)
  const [question, setQuestion] = useState<string>()
  const [attachments, setAttachments] = useState<readonly StoredFile[]>([])
  const [actionError, setActionError] = useState<Error>()
  /** The answer that is regenerated, which is not shown meanwhile. */
  const [replacedId, setReplacedId] = useState<string>()
  const stored = useChatMessages()
  const { load, stopLoading, reset, clearError } = stored

  /** The session of the next message. */
  const session = useRef(initialId)
  /** The number of messages so far: the end of an earlier one changes nothing. */
  const asked = useRef(0)

  const { answer, ask, stop, clear, leave } = useAnswer((open: Open, signal) => open(signal), {
    lostText: LOST,
  })
  /** Ends what is done in a session. */
  const quit = useCallback(() => {
    asked.current++
    stopLoading()
    leave()
    setQuestion(undefined)
    setReplacedId(undefined)
  }, [stopLoading, leave])
  const enter = useCallback(
    (id: string | undefined) => {
      session.current = id
      setSessionId(id)
      setActionError(undefined)
      reset()
      if (id !== undefined) void load(id)
    },
    [load, reset],
  )
  useEffect(() => {
    enter(initialId)
    return quit
  }, [initialId, enter, quit])

  const answerTo = async (open: Open): Promise<void> => {
    asked.current++
    const number = asked.current
    const isLatest = () => number === asked.current
    setActionError(undefined)
    clearError()
    const ended = await ask(open, (event) => {
      if (event.event === 'start' && isLatest()) session.current = event.data.session_id
    })
    const id = session.current
    if (isLatest() && id !== undefined && ended.messageId !== null) {
      setSessionId(id)
      await load(id)
      if (isLatest()) setQuestion(undefined)
    }
    if (isLatest()) setReplacedId(undefined)
    if (isLatest() && ended.phase === 'done') clear()
  }
  const chosen = { ...(tools && { tools: [...tools] }) }
  const send = async (message: string): Promise<void> => {
    const file_ids = attachments.map(({ id }) => id)
    setQuestion(message)
    setReplacedId(undefined)
    setAttachments([])
    const body = { message, ...chosen, ...(file_ids.length > 0 && { file_ids }) }
    await answerTo((signal) =>
      methods.chatStream(
        { ...body, ...(session.current && { session_id: session.current }) },
        { signal },
      ),
    )
  }
  const regenerate = async (): Promise<void> => {
    const id = session.current
    const asking = stored.messages.findLast(({ role }) => role === 'user')
    if (id === undefined || !asking) return
    const last = stored.messages.at(-1)
    setReplacedId(last?.role === 'assistant' ? last.id : undefined)
    const body = { session_id: id, message: asking.content, ...chosen }
    await answerTo((signal) => methods.regenerateStream(body, { signal }))
  }
  /** @param isCurrent whether the session is still the one for which the action began. */
  const act = async (action: (isCurrent: () => boolean) => Promise<void>): Promise<void> => {
    const id = session.current
    const isCurrent = () => session.current === id
    setActionError(undefined)
    try {
      await action(isCurrent)
    } catch (cause) {
      if (isCurrent()) setActionError(asError(cause))
    }
  }
  const branch = (messageId: string): Promise<void> =>
    act(async (isCurrent) => {
      if (session.current === undefined) return
      const copy = { session_id: session.current, message_id: messageId }
      const { id } = await methods.branchChatSession(copy)
      if (!isCurrent()) return
      quit()
      enter(id)
    })
  const attach = (file: Blob): Promise<void> =>
    act(async () => {
      const added = await methods.uploadFile({ file })
      setAttachments((before) => [...before, added])
    })
  const isAnswering = answer !== undefined && isRunning(answer)
  // A part of a stopped answer may be stored before or after the messages are loaded.
  const isStored = !isAnswering && stored.messages.some(({ id }) => id === answer?.messageId)
  return {
    sessionId,
    messages: stored.messages.filter(({ id }) => id !== replacedId),
    hasEarlier: stored.hasEarlier,
    attachments,
    question,
    answer: isStored ? undefined : answer,
    isAnswering,
    error: answer?.error ?? actionError ?? stored.error,
    send,
    regenerate,
    loadEarlier: async () => {
      if (session.current !== undefined) await stored.loadEarlier(session.current)
    },
    branch,
    attach,
    detach: (fileId) => setAttachments((before) => before.filter(({ id }) => id !== fileId)),
    stop,
  }
}
