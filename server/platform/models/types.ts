import type { Static, TSchema } from '@sinclair/typebox'

/** The providers that can be configured, in the order in which they stand in for each other. */
export const PROVIDERS = ['openrouter', 'openai', 'ollama'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export type ContentPart =
  | { type: 'text'; text: string }
  /** Bytes alone, never an address: an address would be fetched from within the network. */
  | { type: 'image'; data: Uint8Array; mediaType: string }

export type Message =
  | { role: 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string }

/** Something a model may do while it answers. Its input is checked before it runs. */
export interface ModelTool<S extends TSchema = TSchema> {
  name: string
  description: string
  input: S
  /** A throw is told to the model by the error's message, and the model goes on. */
  run(input: Static<S>, signal: AbortSignal): Promise<unknown>
}

/** Why no provider answers: nobody wanted one, none is configured, or all that are have failed. */
export type LocalReason = 'asked' | 'unconfigured' | 'failed'

/** Answers without a model, in pieces or as a whole. */
export type LocalAnswer = (
  why: LocalReason,
  signal: AbortSignal,
) => AsyncIterable<string> | Iterable<string>

export interface ModelRequest {
  /**
   * Who is to answer: a configured provider's name, or `local`. Any other name, and none, is whoever
   * is configured first.
   */
  provider?: string | undefined
  system: string
  /** The last one is what is answered. */
  messages: Message[]
  tools?: ModelTool[]
  /** How often a model may be called for one answer: one more than it may use tools (8). */
  maxSteps?: number
  temperature?: number
  maxOutputTokens?: number
  /**
   * Answers where no provider does, at no cost. Without it, such a request fails. It is given with the request
   * because only the asker has at hand what it answers from.
   */
  local?: LocalAnswer
}

export interface Usage {
  input_tokens: number
  output_tokens: number
  /** The provider did not count, so it was reckoned from the text. */
  estimated: boolean
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other'

export interface Answerer {
  provider: ProviderName | 'local'
  /** `local` answers without one. */
  model: string | null
}

export type ModelEvent =
  /** First, and only once somebody does answer. */
  | ({ type: 'start' } & Answerer)
  | { type: 'text'; text: string }
  /** A tool is called: once when it begins, and again when it is done, with its output or `failed`. */
  | {
      type: 'tool'
      id: string
      name: string
      input: unknown
      state: 'running' | 'done' | 'failed'
      output?: unknown
    }
  /** Last. */
  | { type: 'finish'; usage: Usage; reason: FinishReason }

export interface Generated extends Answerer {
  text: string
  usage: Usage
  reason: FinishReason
}

export interface GeneratedObject<T> extends Answerer {
  value: T
  usage: Usage
}

/** Whether a provider is asked: `open` is left alone after failures, `half_open` is tried by the next request. */
export type BreakerState = 'closed' | 'open' | 'half_open'

export interface Models {
  /** How many tokens a prompt and its answer may have together. */
  readonly contextTokens: number
  /** Is any provider configured? Otherwise only `local` answers. */
  readonly isConfigured: boolean
  /**
   * Answers piece by piece. A provider that fails before its first piece is followed by the next one,
   * and at last by `local`; after it, the iteration throws. Leaving the iteration, or aborting,
   * ends the provider's request at once.
   * @throws ModelFailure when nobody answers, or an answer breaks off.
   * @throws the signal's reason when it is aborted.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** The whole answer. An answer that breaks off counts for nothing, and the next provider is asked. */
  generate(request: ModelRequest, signal: AbortSignal): Promise<Generated>
  /**
   * An answer as JSON that fits the schema, unknown keys dropped; a second try is told what was wrong
   * with the first. `local` is never asked.
   * @throws ModelFailure also when no answer fits.
   */
  object<S extends TSchema>(
    schema: S,
    request: Omit<ModelRequest, 'local' | 'tools' | 'maxSteps'>,
    signal: AbortSignal,
  ): Promise<GeneratedObject<Static<S>>>
  /** The state of each configured provider. */
  states(): { provider: ProviderName; model: string; state: BreakerState }[]
  /** For readiness. @throws ModelFailure when nothing can answer. */
  check(): Promise<void>
}
