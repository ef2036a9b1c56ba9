import type { Static, TSchema } from '@sinclair/typebox'
import type { TokenUsage } from '../../../shared/contract/chat-messages.ts'

/** The supported providers, in the order of fallback. */
export const PROVIDERS = ['openrouter', 'openai', 'ollama'] as const
export type ProviderName = (typeof PROVIDERS)[number]

export type ContentPart =
  | { type: 'text'; text: string }
  /** Bytes only, because a URL could point into the network of the server. */
  | { type: 'image'; data: Uint8Array; mediaType: string }

export type Message =
  | { role: 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string }

/** A tool that a model may call. The input is validated before `run`. */
export interface ModelTool<S extends TSchema = TSchema> {
  name: string
  description: string
  input: S
  /** The model gets the message of a thrown error and continues. */
  run(input: Static<S>, signal: AbortSignal): Promise<unknown>
}

/** Why no provider answers: the request named `local`, none is configured, or all have failed. */
export type LocalReason = 'requested' | 'unconfigured' | 'failed'

/** Answers without a model, in one or more pieces. */
export type LocalAnswer = (
  why: LocalReason,
  signal: AbortSignal,
) => AsyncIterable<string> | Iterable<string>

export interface ModelRequest {
  /**
   * The name of a configured provider, or `local`. Any other value selects the first configured
   * provider.
   */
  provider?: string | undefined
  system: string
  /** The model answers the last one. */
  messages: Message[]
  tools?: ModelTool[]
  /** The most calls of the model for one answer, one more than rounds of tool calls; 8 if left out. */
  maxSteps?: number
  temperature?: number
  maxOutputTokens?: number
  /**
   * Answers at no cost if no provider does; without it, such a request fails. It is part of the request,
   * because only the caller has the data for the answer.
   */
  local?: LocalAnswer
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other'

export interface Answerer {
  provider: ProviderName | 'local'
  /** `local` answers without one. */
  model: string | null
}

export type ModelEvent =
  /** The first event, sent with the first output. */
  | ({ type: 'start' } & Answerer)
  | { type: 'text'; text: string }
  /** Sent when a tool call starts, and again when it is `done`, with its output, or `failed`. */
  | {
      type: 'tool'
      id: string
      name: string
      input: unknown
      state: 'running' | 'done' | 'failed'
      output?: unknown
    }
  /** The last event. */
  | { type: 'finish'; usage: TokenUsage; reason: FinishReason }

export interface Generated extends Answerer {
  text: string
  usage: TokenUsage
  reason: FinishReason
}

export interface GeneratedObject<T> extends Answerer {
  value: T
  usage: TokenUsage
}

/** `open`: not called after failures. `half_open`: the next request is a trial. */
export type BreakerState = 'closed' | 'open' | 'half_open'

export interface Models {
  /** The most tokens of a prompt and its completion together. */
  readonly contextTokens: number
  /** Whether a provider is configured; otherwise only `local` answers. */
  readonly isConfigured: boolean
  /**
   * Streams the answer. If a provider fails before its first piece, the next one is called, and finally
   * `local`. A later failure throws. Leaving the iteration, or aborting, ends the provider's request at
   * once.
   * @throws ModelFailure when no provider answers, or an answer ends early.
   * @throws the signal's reason when it is aborted.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Returns the whole answer. If an answer ends early, it is discarded and the next provider is called. */
  generate(request: ModelRequest, signal: AbortSignal): Promise<Generated>
  /**
   * Returns JSON that matches the schema, without unknown keys. A second attempt gets the validation
   * errors of the first. `local` is never called.
   * @throws ModelFailure also when no attempt matches.
   */
  object<S extends TSchema>(
    schema: S,
    request: Omit<ModelRequest, 'local' | 'tools' | 'maxSteps'>,
    signal: AbortSignal,
  ): Promise<GeneratedObject<Static<S>>>
  /** The state of each configured provider. */
  states(): { provider: ProviderName; model: string; state: BreakerState }[]
  /** For the readiness check. @throws ModelFailure when no provider can answer. */
  check(): Promise<void>
}
