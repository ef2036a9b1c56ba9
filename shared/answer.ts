import type { ToolUse } from './contract/chat.ts'
import type { CitedMemory } from './contract/chat-messages.ts'

/** An answer of a model while it arrives, and after it ended. */
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
