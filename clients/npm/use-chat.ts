import { useCallback, useEffect, useState } from 'react'
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

  const load = useCallback(
    async (id: string) => {
      try {
        setMessages(await methods.listChatMessages({ session_id: id }))
        setLoadError(undefined)
      } catch (cause) {
        setLoadError(asError(cause))
      }
    },
    [methods],
  )
  useEffect(() => {
    setSessionId(initialId)
    setMessages([])
    if (initialId !== undefined) void load(initialId)
  }, [initialId, load])

  const { answer, ask, stop, clear } = useAnswer(
    (message: string, signal): Promise<AsyncIterable<ChatEvent>> =>
      methods.chatStream(
        {
          message,
          ...(sessionId && { session_id: sessionId }),
          ...(tools && { tools: [...tools] }),
        },
        { signal },
      ),
    { lostText: LOST, stopsOnUnmount: true },
  )
  const send = async (message: string): Promise<void> => {
    let id = sessionId
    setQuestion(message)
    const ended = await ask(message, (event) => {
      if (event.event === 'start') id = event.data.session_id
    })
    if (id !== undefined && ended.messageId !== null) {
      setSessionId(id)
      await load(id)
      setQuestion(undefined)
    }
    if (ended.phase === 'done') clear()
  }
  const isAnswering = answer !== undefined && isRunning(answer)
  // A part of a stopped answer may be stored before or after the messages are loaded.
  const isStored = !isAnswering && messages.some(({ id }) => id === answer?.messageId)
  const shown = isStored ? undefined : answer
  const error = answer?.error ?? loadError
  return { sessionId, messages, question, answer: shown, isAnswering, error, send, stop }
}
