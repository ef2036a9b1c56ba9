import type { HookEvent } from '../../assistants/capture.ts'
import type { AssistantName } from '../../assistants/clients.ts'
import type { Outages } from '../../assistants/outages.ts'
import type { ProjectMemoryMode } from '../../assistants/project.ts'
import type { CliEnvironment } from '../../config.ts'

export interface HookInput {
  client: AssistantName
  event: HookEvent
  environment: CliEnvironment
  now: () => number
  /** When the assistant gets its answer at the latest. */
  timeout: AbortSignal
  /** Writes the answer with a context for the model, or with none. */
  answer(context: string): Promise<void>
}

/** An event with what decides on it. */
export interface Scene extends HookInput {
  mode: ProjectMemoryMode
  project: string | undefined
  /** Whether the project never stores a text. */
  isNever(text: string): boolean
  outages: Outages
}

/** A message to store. */
export interface HookMessage {
  turn: string
  ordinal: number | undefined
  role: 'user' | 'assistant'
  content: string
}

export type TurnPosition = Pick<HookMessage, 'turn' | 'ordinal'>
