import type { LanguageModel } from 'ai'
import type { ProviderName } from './types.ts'

export interface ProviderSettings {
  name: ProviderName
  /** Where `/chat/completions` is found. */
  baseUrl: string
  apiKey: string | undefined
  model: string
}

/**
 * The SDK's model of a provider. Loaded when it is first asked for, because that takes about 150 ms
 * and 30 MB.
 */
export const languageModel = async (
  { name, baseUrl, apiKey, model }: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> => {
  const common = { baseURL: baseUrl.replace(/\/+$/, ''), fetch, ...(apiKey && { apiKey }) }
  if (name === 'openrouter') {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const openRouter = createOpenRouter({ ...common, compatibility: 'strict', appName: 'svc' })
    // Strict shapes allow no optional key and no other key; what comes is checked anyway.
    return openRouter.chat(model, { structuredOutputs: { strict: false } })
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    ...common,
    name,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  return provider.chatModel(model)
}
