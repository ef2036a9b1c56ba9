import type { LanguageModel } from 'ai'
import type { ProviderName } from './types.ts'

export interface ProviderSettings {
  name: ProviderName
  /** The base URL of `/chat/completions`. */
  baseUrl: string
  apiKey: string | undefined
  model: string
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
  { name, baseUrl, apiKey, model }: ProviderSettings,
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
