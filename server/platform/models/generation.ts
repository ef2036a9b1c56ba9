import type { TSchema } from '@sinclair/typebox'
import type {
  JSONSchema7,
  LanguageModel,
  OutputInterface as SdkOutput,
  FinishReason as SdkReason,
  TextStreamPart,
  ToolSet,
} from 'ai'
import { budgets } from '../budgets.ts'
import { failureOf, ModelFailure } from './failure.ts'
import {
  estimatePromptTokens,
  estimateTokens,
  type ModelPrompt,
  toModelMessages,
  toToolSet,
} from './prompt.ts'
import { createReasoningFilter, type ReasoningFilter } from './reasoning-filter.ts'
import { createTimeouts, type TimeoutOptions } from './timing.ts'
import type { FinishReason, ModelEvent, ProviderName } from './types.ts'

/** The events of a completion, without the provider and the model. */
export type OutputEvent = Exclude<ModelEvent, { type: 'start' }>

type Part = TextStreamPart<ToolSet>

interface Output {
  text: string
  /** Of the text and the reasoning. */
  characters: number
  /** Of the arguments of tools in the current step. */
  toolCharacters: number
  hasCalled: boolean
  /** A tool was called after the last text. */
  isInterrupted: boolean
  /** The filter of the current text part. */
  reasoningFilter: ReasoningFilter
}

const MAX_STEPS = 8

interface GenerationOptions {
  provider: ProviderName
  model: LanguageModel
  prompt: ModelPrompt
  timeouts: TimeoutOptions
}

/**
 * Calls a model, and calls it again with the results of its tool calls, until the answer is complete.
 * A text that exceeds a limit ends there, with the reason `length`. Leaving the iteration ends the request.
 * @throws ModelFailure when the call fails or the response is invalid.
 * @throws the signal's reason when it is aborted.
 */
export async function* generation(
  { provider, model, prompt, timeouts: timeoutSettings }: GenerationOptions,
  signal: AbortSignal,
): AsyncGenerator<OutputEvent> {
  const stopper = new AbortController()
  const stopped = AbortSignal.any([signal, stopper.signal])
  const timeouts = createTimeouts(timeoutSettings, () =>
    stopper.abort(new ModelFailure('timeout', { provider })),
  )
  const output: Output = {
    text: '',
    characters: 0,
    toolCharacters: 0,
    hasCalled: false,
    isInterrupted: false,
    reasoningFilter: createReasoningFilter(),
  }
  try {
    const parts = await open(model, prompt, stopped)
    while (true) {
      const { done, value: part } = await timeouts.wait(unlessAborted(parts.next(), stopped))
      if (done || isCutOff(part)) throw new ModelFailure('malformed', { provider })
      if (part.type === 'error' && !isToolChoiceViolation(part.error)) throw part.error
      timeouts.onPart(part.type)
      const event = eventOf(part, output, prompt)
      if (event?.type === 'finish' && !output.text.trim() && !output.hasCalled)
        throw new ModelFailure(event.reason === 'content_filter' ? 'refused' : 'empty', {
          provider,
        })
      if (event) yield event
      if (event?.type === 'finish') return
      if (isTooLong(part, output)) throw new ModelFailure('too_long', { provider })
    }
  } catch (error) {
    signal.throwIfAborted()
    stopper.signal.throwIfAborted()
    const failure = failureOf(error, provider)
    const isCut = failure instanceof ModelFailure && failure.kind === 'too_long'
    if (!isCut || !output.text.trim()) throw failure
    yield { type: 'finish', reason: 'length', usage: usageOf({}, prompt, output.text) }
  } finally {
    stopper.abort()
  }
}

const open = async (model: LanguageModel, prompt: ModelPrompt, signal: AbortSignal) => {
  const { isStepCount, jsonSchema, Output, streamText } = await import('ai')
  const { json, maxOutputTokens, maxSteps = MAX_STEPS, messages, system, temperature } = prompt
  const tools = prompt.tools?.length ? toToolSet(prompt.tools, jsonSchema) : undefined
  const { stream } = streamText({
    model,
    messages: toModelMessages(messages),
    abortSignal: signal,
    maxRetries: 0,
    // The default handler prints errors, with the provider's message.
    onError() {},
    ...(system && { instructions: system }),
    ...(tools && {
      tools,
      stopWhen: isStepCount(maxSteps),
      // The last step must produce text.
      prepareStep: ({ stepNumber }: { stepNumber: number }) =>
        stepNumber + 1 < maxSteps ? {} : { toolChoice: 'none' as const },
    }),
    ...(json && {
      output: unparsedJson(Output.text(), json),
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens && { maxOutputTokens }),
  })
  return stream[Symbol.asyncIterator]()
}

/** Requests JSON, and leaves it as text: the SDK would parse the whole text again with each piece. */
const unparsedJson = (text: SdkOutput<string, string, never>, schema: TSchema) => ({
  ...text,
  responseFormat: Promise.resolve({ type: 'json' as const, schema: schema as JSONSchema7 }),
})

/** Counts the output, and @returns whether it exceeds a limit. */
const isTooLong = (part: Part, output: Output): boolean => {
  if (part.type === 'start-step') output.toolCharacters = 0
  if (part.type === 'text-delta' || part.type === 'reasoning-delta')
    output.characters += part.text.length
  if (part.type === 'tool-input-delta') output.toolCharacters += part.delta.length
  return (
    output.characters > budgets.modelAnswer.characters ||
    output.toolCharacters > budgets.modelToolInput.characters
  )
}

/** A connection that closes early looks like the end of a step, but without a finish reason. */
const isCutOff = (part: Part): boolean =>
  part.type === 'finish-step' && part.rawFinishReason === undefined

/** Ollama ignores `tool_choice`. In the last step the text is the answer, and a tool call is ignored. */
const isToolChoiceViolation = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_ToolChoiceViolationError'

/** Rejects at once when the signal aborts. */
const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const eventOf = (part: Part, output: Output, prompt: ModelPrompt): OutputEvent | undefined => {
  switch (part.type) {
    case 'text-start':
      output.reasoningFilter = createReasoningFilter()
      return undefined
    case 'text-delta':
      return textOf(output, output.reasoningFilter.next(part.text))
    case 'text-end':
      return textOf(output, output.reasoningFilter.end())
    case 'tool-call':
      output.hasCalled = true
      output.isInterrupted = true
      return { ...callOf(part), state: 'running' }
    case 'tool-result':
      return { ...callOf(part), state: 'done', output: part.output }
    case 'tool-error':
      return { ...callOf(part), state: 'failed' }
    case 'finish':
      return {
        type: 'finish',
        reason: REASONS[part.finishReason],
        usage: usageOf(part.totalUsage, prompt, output.text),
      }
    default:
      return undefined
  }
}

const callOf = (part: { toolCallId: string; toolName: string; input: unknown }) =>
  ({ type: 'tool', id: part.toolCallId, name: part.toolName, input: part.input }) as const

/** Text after a tool call starts a new paragraph. */
const textOf = (output: Output, answer: string): OutputEvent | undefined => {
  if (!answer) return undefined
  const isNewParagraph = output.isInterrupted && output.text !== '' && !/\s$/.test(output.text)
  const text = isNewParagraph ? `\n\n${answer}` : answer
  output.isInterrupted = false
  output.text += text
  return { type: 'text', text }
}

const REASONS: Record<SdkReason, FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  // The only error that does not throw: a tool call in the last step.
  error: 'tool_calls',
  interrupted: 'other',
  other: 'other',
}

const usageOf = (
  counted: { inputTokens?: number | undefined; outputTokens?: number | undefined },
  prompt: ModelPrompt,
  text: string,
) => {
  const { inputTokens, outputTokens } = counted
  return {
    input_tokens: inputTokens ?? estimatePromptTokens(prompt),
    output_tokens: outputTokens ?? estimateTokens(text),
    estimated: inputTokens === undefined || outputTokens === undefined,
  }
}
