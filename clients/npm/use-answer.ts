import { useCallback, useRef, useState } from 'react'
import { type Answer, NO_ANSWER } from '../../shared/answer.ts'
import { type AnswerEvent, readAnswer } from '../../shared/answer-stream.ts'

export interface AnswerState<I, E> {
  /** The answer while it arrives, and after it ended; undefined before the first and after `clear`. */
  answer: Answer | undefined
  /** Asks for an answer, and stops the one before. It never throws: the answer has the error. */
  ask(input: I, onEvent?: (event: E) => void): Promise<Answer>
  /** Stops the model. The server keeps the part that it sent. */
  stop(): void
  clear(): void
  /** Stops the model, and does not show the part that it sent. */
  leave(): void
}

interface AnswerOptions {
  /** The error of a connection that was lost while the answer arrived. */
  lostText: string
}

/** The state of a streamed answer. */
export const useAnswer = <I, E extends AnswerEvent>(
  open: (input: I, signal: AbortSignal) => Promise<AsyncIterable<E>>,
  { lostText }: AnswerOptions,
): AnswerState<I, E> => {
  const [answer, setAnswer] = useState<Answer>()
  const running = useRef<AbortController>(undefined)
  const opener = useRef(open)
  opener.current = open

  const ask = useCallback(
    async (input: I, onEvent?: (event: E) => void): Promise<Answer> => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      // An answer that another one replaced is not shown any more.
      const show = (next: Answer) => {
        if (running.current === controller) setAnswer(next)
      }
      show(NO_ANSWER)
      const { signal } = controller
      const ended = await readAnswer(() => opener.current(input, signal), {
        signal,
        lostText,
        onChange: (soFar, event) => {
          show(soFar)
          onEvent?.(event)
        },
      })
      show(ended)
      return ended
    },
    [lostText],
  )
  const stop = useCallback(() => running.current?.abort(), [])
  const clear = useCallback(() => setAnswer(undefined), [])
  const leave = useCallback(() => {
    running.current?.abort()
    running.current = undefined
    setAnswer(undefined)
  }, [])
  return { answer, ask, stop, clear, leave }
}
