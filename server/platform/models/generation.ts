import type { LanguageModel, FinishReason as SdkReason, TextStreamPart, ToolSet } from 'ai'
import { failureOf, ModelFailure } from './failure.ts'
import { createPatience, type PatienceSettings } from './patience.ts'
import { type Prompt, toModelMessages, toToolSet } from './prompt.ts'
import { createThoughtFilter } from './thoughts.ts'
import { estimatePromptTokens, estimateTokens } from './tokens.ts'
import type { FinishReason, ModelEvent, ProviderName } from './types.ts'

/** What a model says, without who it is. */
export type SaidEvent = Exclude<ModelEvent, { type: 'start' }>

type Part = TextStreamPart<ToolSet>

interface Said {
  text: string
  hasCalled: boolean
  /** A tool was called after the last text. */
  isInterrupted: boolean
  /** Of the text that is under way. */
  thoughts: ReturnType<typeof createThoughtFilter>
}

const MAX_STEPS = 8
/** Longer than any model's answers are meant to be: one that goes on is repeating itself. */
const MAX_ANSWER_CHARS = 500_000

/**
 * Calls a model, and again with what its tools gave, until it has said all. Leaving the iteration ends
 * the request.
 * @throws ModelFailure when it does not answer as it should.
 * @throws the signal's reason when it is aborted.
 */
export async function* generation(
  provider: ProviderName,
  model: LanguageModel,
  prompt: Prompt,
  patienceSettings: PatienceSettings,
  signal: AbortSignal,
): AsyncGenerator<SaidEvent> {
  const stopper = new AbortController()
  const stopped = AbortSignal.any([signal, stopper.signal])
  const patience = createPatience(patienceSettings, () =>
    stopper.abort(new ModelFailure('timeout', { provider })),
  )
  const said: Said = {
    text: '',
    hasCalled: false,
    isInterrupted: false,
    thoughts: createThoughtFilter(),
  }
  try {
    const parts = await open(model, prompt, stopped)
    while (true) {
      const { done, value: part } = await patience.wait(unlessAborted(parts.next(), stopped))
      if (done || isCutOff(part)) throw new ModelFailure('malformed', { provider })
      if (part.type === 'error' && !isDisobedience(part.error)) throw part.error
      patience.note(part.type)
      const event = eventOf(part, said, prompt)
      if (event?.type === 'finish' && !said.text.trim() && !said.hasCalled)
        throw new ModelFailure(event.reason === 'content_filter' ? 'refused' : 'empty', {
          provider,
        })
      if (event) yield event
      if (event?.type === 'finish') return
      if (said.text.length > MAX_ANSWER_CHARS) {
        yield { type: 'finish', reason: 'length', usage: usageOf({}, prompt, said.text) }
        return
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    stopper.signal.throwIfAborted()
    throw failureOf(error, provider)
  } finally {
    stopper.abort()
  }
}

const open = async (model: LanguageModel, prompt: Prompt, signal: AbortSignal) => {
  const { isStepCount, jsonSchema, Output, streamText } = await import('ai')
  const { json, maxOutputTokens, maxSteps = MAX_STEPS, messages, system, temperature } = prompt
  const tools = prompt.tools?.length ? toToolSet(prompt.tools, jsonSchema) : undefined
  const { stream } = streamText({
    model,
    messages: toModelMessages(messages),
    abortSignal: signal,
    maxRetries: 0,
    // Without it, errors are printed, with what the provider said.
    onError() {},
    ...(system && { instructions: system }),
    ...(tools && {
      tools,
      stopWhen: isStepCount(maxSteps),
      // The last time it is to speak.
      prepareStep: ({ stepNumber }: { stepNumber: number }) =>
        stepNumber + 1 < maxSteps ? {} : { toolChoice: 'none' as const },
    }),
    ...(json && {
      output: Output.object({ schema: jsonSchema(json) }),
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  })
  return stream[Symbol.asyncIterator]()
}

/** A connection that closed in the middle looks like an end, but no reason for it was given. */
const isCutOff = (part: Part): boolean =>
  part.type === 'finish-step' && part.rawFinishReason === undefined

/** Ollama hears no `tool_choice`. The model has had its calls, and what it said is the answer. */
const isDisobedience = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_ToolChoiceViolationError'

/** Settles at once when the signal does, whatever the promise waits for. */
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

const eventOf = (part: Part, said: Said, prompt: Prompt): SaidEvent | undefined => {
  switch (part.type) {
    case 'text-start':
      said.thoughts = createThoughtFilter()
      return undefined
    case 'text-delta':
      return textOf(said, said.thoughts.next(part.text))
    case 'text-end':
      return textOf(said, said.thoughts.end())
    case 'tool-call':
      said.hasCalled = true
      said.isInterrupted = true
      return { ...callOf(part), state: 'running' }
    case 'tool-result':
      return { ...callOf(part), state: 'done', output: part.output }
    case 'tool-error':
      return { ...callOf(part), state: 'failed' }
    case 'finish':
      return {
        type: 'finish',
        reason: REASONS[part.finishReason],
        usage: usageOf(part.totalUsage, prompt, said.text),
      }
    default:
      return undefined
  }
}

const callOf = (part: { toolCallId: string; toolName: string; input: unknown }) =>
  ({ type: 'tool', id: part.toolCallId, name: part.toolName, input: part.input }) as const

/** What is said after a tool was used is a paragraph of its own. */
const textOf = (said: Said, answer: string): SaidEvent | undefined => {
  if (!answer) return undefined
  const isNewParagraph = said.isInterrupted && said.text !== '' && !/\s$/.test(said.text)
  const text = isNewParagraph ? `\n\n${answer}` : answer
  said.isInterrupted = false
  said.text += text
  return { type: 'text', text }
}

const REASONS: Record<SdkReason, FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  // Of errors only this one does not end in a throw: a call too many.
  error: 'tool_calls',
  interrupted: 'other',
  other: 'other',
}

const usageOf = (
  counted: { inputTokens?: number | undefined; outputTokens?: number | undefined },
  prompt: Prompt,
  text: string,
) => {
  const { inputTokens, outputTokens } = counted
  return {
    input_tokens: inputTokens ?? estimatePromptTokens(prompt),
    output_tokens: outputTokens ?? estimateTokens(text),
    estimated: inputTokens === undefined || outputTokens === undefined,
  }
}
