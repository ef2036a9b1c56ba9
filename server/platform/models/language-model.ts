import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModel } from 'ai'
import type { Fetch } from '../../../shared/proxies.ts'
import type { ProviderName } from './types.ts'

export interface ModelProviderSettings {
  name: ProviderName
  /** The base URL of `/chat/completions`. */
  baseUrl: string
  apiKey: string | undefined
  model: string
}

export interface AnthropicSettings {
  /** Without `/v1`. */
  baseUrl: string
  apiKey: string | undefined
}

const OPENAI_HOST = 'api.openai.com'

/** OpenAI's newer models refuse `max_tokens`; other servers do not know the new name. */
const nameTokensAsOpenAi = ({ max_tokens, ...body }: Record<string, unknown>) => ({
  ...body,
  ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }),
})

/**
 * Creates the SDK's model of a provider. The SDK is loaded with the first call, because that takes
 * about 150 ms and 30 MB.
 */
export const languageModel = async (
  { name, baseUrl, apiKey, model }: ModelProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> => {
  const common = { baseURL: baseUrl.replace(/(?<!\/)\/+$/, ''), fetch, ...(apiKey && { apiKey }) }
  if (name === 'openrouter') {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const openRouter = createOpenRouter({ ...common, compatibility: 'strict', appName: 'svc' })
    // Strict schemas forbid optional and additional keys. The output is validated anyway.
    return openRouter.chat(model, { structuredOutputs: { strict: false } })
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    ...common,
    name,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(new URL(baseUrl).hostname === OPENAI_HOST && { transformRequestBody: nameTokensAsOpenAi }),
  })
  return provider.chatModel(model)
}

export interface ModelRetryOptions {
  /** The pause before the retry if the server sends no Retry-After. */
  pauseMs: number
  /** A longer Retry-After prevents the retry. */
  maxPauseMs: number
}

/**
 * Adds one retry to a `fetch` after a failed connection, 5xx or 429, which honors Retry-After (RFC 9110,
 * section 10.2.3). The request must be safe to repeat.
 */
export const retryingFetch = (send: Fetch, { pauseMs, maxPauseMs }: ModelRetryOptions): Fetch => {
  const retrying = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const first = await send(input, init).catch(() => undefined)
    if (first && first.status < 500 && first.status !== 429) return first
    const pause = retryAfterMs(first?.headers.get('retry-after')) ?? pauseMs
    if (first && pause > maxPauseMs) return first
    await first?.body?.cancel()
    await sleep(pause, undefined, { signal: init?.signal ?? undefined })
    return send(input, init)
  }
  return retrying as Fetch
}

/** Parses Retry-After, in seconds or as a date. */
export const retryAfterMs = (header: string | null | undefined): number | undefined => {
  if (!header) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
