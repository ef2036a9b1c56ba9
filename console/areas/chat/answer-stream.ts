import { Unreachable } from '../../../shared/client.ts'
import type { ChatEvent } from '../../../shared/contract/chat.ts'
import type { CitedMemory } from '../../../shared/contract/chat-messages.ts'
import type { TalkEvent } from '../../../shared/contract/talk.ts'
import { describeFailure } from '../../../shared/failure.ts'
import { chat as texts } from '../../texts/chat.ts'

type AnswerEvent = ChatEvent | TalkEvent
export type ToolUse = Extract<ChatEvent, { event: 'tool' }>['data']

/** An answer while it arrives, and after it ended. */
export interface Answer {
  /** `waiting` until the first event. */
  phase: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  messageId: string | null
  provider: string | null
  model: string | null
  text: string
  memories: readonly CitedMemory[]
  tools: readonly ToolUse[]
  error: Error | null
}

export const NO_ANSWER: Answer = {
  phase: 'waiting',
  messageId: null,
  provider: null,
  model: null,
  text: '',
  memories: [],
  tools: [],
  error: null,
}

export const isRunning = ({ phase }: Answer): boolean =>
  phase === 'waiting' || phase === 'streaming'

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

/** The end of a stream that threw, or ended without `done`. */
const endedBy = (answer: Answer, error: unknown, signal: AbortSignal): Answer => {
  if (signal.aborted) return { ...answer, phase: 'stopped' }
  if (answer.phase === 'streaming' && (error === undefined || error instanceof Unreachable))
    return { ...answer, phase: 'failed', error: new Error(texts.answer.lost) }
  const cause = error instanceof Error ? error : new Error(texts.answer.lost)
  return { ...answer, phase: 'failed', error: cause }
}

/** Rendering every token of a fast model would block the page. */
const RENDER_INTERVAL_MS = 50

/**
 * Reads a stream to its end. It never throws: the returned answer has the error.
 * @param onChange gets the answer so far: at once for rare events, at intervals for deltas.
 */
export const readAnswer = async <E extends AnswerEvent>(
  open: () => Promise<AsyncIterable<E>>,
  signal: AbortSignal,
  onChange: (answer: Answer, event: E) => void,
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
    return isRunning(answer) ? endedBy(answer, undefined, signal) : answer
  } catch (error) {
    return endedBy(answer, error, signal)
  } finally {
    clearTimeout(timer)
  }
}
