import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answer, isRunning } from '../../shared/answer.ts'
import type { ChatEvent } from '../../shared/contract/chat.ts'
import type { ChatMessage } from './api.ts'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'
import { useAnswer } from './use-answer.ts'

export interface ChatOptions {
  /** The session to continue. Default: a new one, from the first message on. */
  sessionId?: string | undefined
  /** The tools that the model may use. Default: none. */
  tools?: readonly ('recall' | 'remember' | 'fetch_url')[] | undefined
}

export interface ChatState {
  sessionId: string | undefined
  /** The stored messages, oldest first. */
  messages: readonly ChatMessage[]
  /** The message that is being answered, and that the messages do not contain yet. */
  question: string | undefined
  /** The answer while it arrives, and the part that a failed or stopped one has. */
  answer: Answer | undefined
  isAnswering: boolean
  /** Why the last answer failed, or the messages could not be loaded. */
  error: Error | undefined
  /** Sends a message. It never throws: `error` has the failure. */
  send(message: string): Promise<void>
  /** Stops the model. The server keeps the part that it sent. */
  stop(): void
}

const LOST = 'The connection was lost while the answer arrived'

/** A chat that remembers: its messages, and the answer that arrives. */
export const useChat = ({ sessionId: initialId, tools }: ChatOptions = {}): ChatState => {
  const { methods } = useSvc()
  const [sessionId, setSessionId] = useState(initialId)
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [question, setQuestion] = useState<string>()
  const [loadError, setLoadError] = useState<Error>()

  /** The session of the next message. */
  const session = useRef(initialId)
  const loading = useRef<AbortController>(undefined)
  /** The number of messages so far: the end of an earlier one changes nothing. */
  const asked = useRef(0)

  const load = useCallback(
    async (id: string) => {
      loading.current?.abort()
      loading.current = new AbortController()
      const { signal } = loading.current
      try {
        const loaded = await methods.listChatMessages({ session_id: id }, { signal })
        if (!signal.aborted) setMessages(loaded)
      } catch (cause) {
        if (!signal.aborted) setLoadError(asError(cause))
      }
    },
    [methods],
  )
  const { answer, ask, stop, clear, leave } = useAnswer(
    (message: string, signal): Promise<AsyncIterable<ChatEvent>> =>
      methods.chatStream(
        {
          message,
          ...(session.current && { session_id: session.current }),
          ...(tools && { tools: [...tools] }),
        },
        { signal },
      ),
    { lostText: LOST },
  )
  useEffect(() => {
    session.current = initialId
    setSessionId(initialId)
    setMessages([])
    setLoadError(undefined)
    if (initialId !== undefined) void load(initialId)
    return () => {
      asked.current++
      loading.current?.abort()
      leave()
      setQuestion(undefined)
    }
  }, [initialId, load, leave])

  const send = async (message: string): Promise<void> => {
    asked.current++
    const number = asked.current
    const isLatest = () => number === asked.current
    setQuestion(message)
    setLoadError(undefined)
    const ended = await ask(message, (event) => {
      if (event.event === 'start' && isLatest()) session.current = event.data.session_id
    })
    const id = session.current
    if (isLatest() && id !== undefined && ended.messageId !== null) {
      setSessionId(id)
      await load(id)
      if (isLatest()) setQuestion(undefined)
    }
    if (isLatest() && ended.phase === 'done') clear()
  }
  const isAnswering = answer !== undefined && isRunning(answer)
  // A part of a stopped answer may be stored before or after the messages are loaded.
  const isStored = !isAnswering && messages.some(({ id }) => id === answer?.messageId)
  const shown = isStored ? undefined : answer
  const error = answer?.error ?? loadError
  return { sessionId, messages, question, answer: shown, isAnswering, error, send, stop }
}
