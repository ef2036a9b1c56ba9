import type { Static, TSchema } from '@sinclair/typebox'
import type { TokenUsage } from '../../../shared/contract/chat-messages.ts'
import { budgets } from '../budgets.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { tracedStream } from '../telemetry.ts'
import { ModelFailure, mainFailure } from './failure.ts'
import type { ModelProviderSettings } from './language-model.ts'
import { estimatePromptTokens, type ModelPrompt } from './prompt.ts'
import { createProvider, type ModelProvider } from './provider.ts'
import { parseModelJson } from './schema.ts'
import { TIMING, type Timing } from './timing.ts'
import {
  type Answerer,
  type Generated,
  type GeneratedObject,
  type LocalReason,
  type Message,
  type ModelEvent,
  type ModelRequest,
  type Models,
  PROVIDERS,
} from './types.ts'

export interface ModelSettings {
  providers: ModelProviderSettings[]
  contextTokens: number
  /** Whether `local` may answer a request for a provider. */
  fallsBackToLocal: boolean
}

type Request = ModelRequest & ModelPrompt

/** Estimates of prompts are high, so a window that seems full has room for a completion. */
const MIN_OUTPUT_TOKENS = 1_024

/** Routes requests to the requested provider, with fallback to the others and to `local`. */
export const createModels = (
  { providers: settings, contextTokens, fallsBackToLocal }: ModelSettings,
  log: Log,
  timing: Timing = TIMING,
  metrics?: Pick<Metrics, 'observeModel'>,
): Models => {
  const providers = PROVIDERS.flatMap((name) => settings.filter((each) => each.name === name)).map(
    (each) => createProvider(each, timing, log, metrics),
  )

  /** The requested provider, then the others in order. */
  const candidates = (requested: string | undefined): ModelProvider[] => {
    if (requested === 'local') return []
    const name = requested === 'openai-compatible' ? 'openai' : requested
    return providers.toSorted((a, b) => Number(b.name === name) - Number(a.name === name))
  }

  /** Calls the candidates in order, and finally `local`. */
  async function* streamFrom(
    candidates: ModelProvider[],
    request: Request,
    signal: AbortSignal,
    failures: ModelFailure[] = [],
  ): AsyncGenerator<ModelEvent> {
    const maxOutputTokens = outputTokens(request, contextTokens)
    for (const provider of candidates) {
      let hasStarted = false
      try {
        const prompt = { ...request, maxOutputTokens }
        for await (const event of tracedAnswer(provider, prompt, signal)) {
          if (!hasStarted) yield { type: 'start', provider: provider.name, model: provider.model }
          hasStarted = true
          yield event
        }
        return
      } catch (error) {
        if (hasStarted || !(error instanceof ModelFailure)) throw error
        failures.push(error)
      }
    }
    signal.throwIfAborted()
    const isRequested = request.provider === 'local'
    const why: LocalReason = isRequested
      ? 'requested'
      : providers.length
        ? 'failed'
        : 'unconfigured'
    if (!request.local || !(isRequested || fallsBackToLocal)) throw mainFailure(failures)
    yield* streamLocal(request.local(why, signal), signal)
  }

  const generate = async (request: Request, signal: AbortSignal): Promise<Generated> => {
    const failures: ModelFailure[] = []
    let rest = candidates(request.provider)
    while (true) {
      const answer: Partial<Generated> & { text: string } = { text: '' }
      let hasCalled = false
      try {
        for await (const event of streamFrom(rest, request, signal, failures)) {
          if (event.type === 'text') answer.text += event.text
          else if (event.type === 'tool') hasCalled = true
          else Object.assign(answer, withoutType(event))
        }
        return answer as Generated
      } catch (error) {
        const failed = rest.findIndex(({ name }) => name === answer.provider)
        // A retry would repeat the effects of tool calls.
        if (!(error instanceof ModelFailure) || failed < 0 || hasCalled) throw error
        failures.push(error)
        rest = rest.slice(failed + 1)
      }
    }
  }

  return {
    contextTokens,
    isConfigured: providers.length > 0,
    stream: (request, signal) => streamFrom(candidates(request.provider), request, signal),
    generate,
    object: (schema, request, signal) => generateObject(generate, schema, request, signal),
    states: () => providers.map(({ name, model, state }) => ({ provider: name, model, state })),
    async check() {
      if (fallsBackToLocal || providers.some(({ state }) => state !== 'open')) return
      throw new ModelFailure('unavailable')
    },
  }
}

/**
 * The most tokens of a completion: as many as the window leaves. The results of tools, which are added to
 * the prompt later, need half of it.
 */
const outputTokens = (request: Request, contextTokens: number): number => {
  const left = contextTokens - estimatePromptTokens(request)
  const room = request.tools?.length ? left / 2 : left
  const max = request.maxOutputTokens ?? budgets.modelTokens.count
  return Math.min(max, Math.max(Math.floor(room), MIN_OUTPUT_TOKENS))
}

/** Attributes follow OpenTelemetry's conventions for generative AI. */
const tracedAnswer = (provider: ModelProvider, request: ModelPrompt, signal: AbortSignal) =>
  tracedStream(
    `chat ${provider.model}`,
    { 'gen_ai.provider.name': provider.name, 'gen_ai.request.model': provider.model },
    provider.answer(request, signal),
    (event) =>
      event.type === 'finish'
        ? {
            'gen_ai.usage.input_tokens': event.usage.input_tokens,
            'gen_ai.usage.output_tokens': event.usage.output_tokens,
          }
        : undefined,
  )

const withoutType = ({ type: _, ...event }: ModelEvent) => event

const FREE: TokenUsage = { input_tokens: 0, output_tokens: 0, estimated: false }

async function* streamLocal(
  texts: AsyncIterable<string> | Iterable<string>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  yield { type: 'start', provider: 'local', model: null }
  for await (const text of texts) {
    signal.throwIfAborted()
    yield { type: 'text', text }
  }
  yield { type: 'finish', usage: FREE, reason: 'stop' }
}

const OBJECT_TRIES = 2

const generateObject = async <S extends TSchema>(
  generate: (request: Request, signal: AbortSignal) => Promise<Generated>,
  schema: S,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<GeneratedObject<Static<S>>> => {
  const system = `${request.system}\n\nAnswer with JSON alone that fits this JSON Schema:\n${JSON.stringify(schema)}`
  const messages: Message[] = [...request.messages]
  let usage = FREE
  let answerer: Answerer | undefined
  for (let tries = 0; tries < OBJECT_TRIES; tries++) {
    const { local: _, ...rest } = request
    const answer = await generate({ ...rest, system, messages, json: schema }, signal)
    const { provider, model, text, reason } = answer
    answerer = { provider, model }
    usage = sum(usage, answer.usage)
    const read = parseModelJson(schema, text)
    if (read.ok) return { provider, model, value: read.value, usage }
    // A second attempt would be as long.
    if (reason === 'length') throw new ModelFailure('too_long', { provider })
    messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: `That does not fit: ${read.complaint}. Answer again.` },
    )
  }
  throw new ModelFailure('malformed', { provider: answerer?.provider })
}

const sum = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  estimated: a.estimated || b.estimated,
})
