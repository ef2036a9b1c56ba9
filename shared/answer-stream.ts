import { type Answer, isRunning, NO_ANSWER } from './answer.ts'
import { Unreachable } from './client-errors.ts'
import type { ChatEvent, ToolUse } from './contract/chat.ts'
import type { TalkEvent } from './contract/talk.ts'
import { describeFailure } from './failure.ts'

export type AnswerEvent = ChatEvent | TalkEvent

/** Tool calls send several events with one id: the last one counts. */
const withTool = (tools: readonly ToolUse[], tool: ToolUse): ToolUse[] =>
  tools.some(({ id }) => id === tool.id)
    ? tools.map((each) => (each.id === tool.id ? tool : each))
    : [...tools, tool]

const applyEvent = (answer: Answer, { event, data }: AnswerEvent): Answer => {
  if (event === 'start') {
    const { message_id, provider, model } = data
    return { ...answer, phase: 'streaming', messageId: message_id, provider, model }
  }
  if (event === 'memories') return { ...answer, memories: data.memories }
  if (event === 'delta') return { ...answer, text: answer.text + data.text }
  if (event === 'tool') return { ...answer, tools: withTool(answer.tools, data) }
  if (event === 'done') return { ...answer, phase: 'done' }
  return { ...answer, phase: 'failed', error: new Error(describeFailure(502, data.detail)) }
}

/** Rendering every token of a fast model would block the page. */
const RENDER_INTERVAL_MS = 50

interface Reading<E extends AnswerEvent> {
  signal: AbortSignal
  /** Gets the answer so far: at once for rare events, at intervals for deltas. */
  onChange: (answer: Answer, event: E) => void
  /** The error of a connection that was lost while the answer arrived. */
  lostText: string
}

/** The end of a stream that threw, or ended without `done`. */
const endedBy = (
  answer: Answer,
  error: unknown,
  { signal, lostText }: Pick<Reading<never>, 'signal' | 'lostText'>,
): Answer => {
  if (signal.aborted) return { ...answer, phase: 'stopped' }
  const isLost = answer.phase === 'streaming' && error instanceof Unreachable
  const cause = error instanceof Error && !isLost ? error : new Error(lostText)
  return { ...answer, phase: 'failed', error: cause }
}

/** Reads a stream to its end. It never throws: the returned answer has the error. */
export const readAnswer = async <E extends AnswerEvent>(
  open: () => Promise<AsyncIterable<E>>,
  { signal, onChange, lostText }: Reading<E>,
): Promise<Answer> => {
  let answer = NO_ANSWER
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for await (const event of await open()) {
      answer = applyEvent(answer, event)
      if (event.event === 'delta')
        timer ??= setTimeout(() => {
          timer = undefined
          if (isRunning(answer)) onChange(answer, event)
        }, RENDER_INTERVAL_MS)
      else if (isRunning(answer)) onChange(answer, event)
    }
    return isRunning(answer) ? endedBy(answer, undefined, { signal, lostText }) : answer
  } catch (error) {
    return endedBy(answer, error, { signal, lostText })
  } finally {
    clearTimeout(timer)
  }
}
