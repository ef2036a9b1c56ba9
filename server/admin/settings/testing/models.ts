import type { SettingTest } from '../../../../shared/contract/server-settings.ts'
import { budgets } from '../../../platform/budgets.ts'
import { createLimitedFetch } from '../../../platform/fetch/limited-fetch.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelFailure } from '../../../platform/models/failure.ts'
import type {
  AnthropicSettings,
  ModelProviderSettings,
} from '../../../platform/models/language-model.ts'
import { createModels, type ModelSettings } from '../../../platform/models/models.ts'

export interface ModelConfig {
  chat: ModelSettings
  anthropic: AnthropicSettings | undefined
}

/** Models that reason need some tokens before they begin to answer. */
const MAX_TOKENS = 64
const ANTHROPIC_VERSION = '2023-06-01'

/** Has each provider answer a short message, and Anthropic list its models. */
export const testModels = async (
  { chat, anthropic }: ModelConfig,
  log: Log,
  signal: AbortSignal,
): Promise<SettingTest[]> => {
  const tests = await Promise.all([
    ...chat.providers.map((provider) => tryProvider(provider, chat.contextTokens, log, signal)),
    ...(anthropic ? [tryAnthropic(anthropic, signal)] : []),
  ])
  return tests.length
    ? tests
    : [{ target: 'models', ok: false, message: 'No provider of models is set.' }]
}

const tryProvider = async (
  provider: ModelProviderSettings,
  contextTokens: number,
  log: Log,
  signal: AbortSignal,
): Promise<SettingTest> => {
  const { name: target, model } = provider
  const models = createModels(
    { providers: [provider], contextTokens, fallsBackToLocal: false },
    log,
  )
  const request = {
    system: 'Answer with one word.',
    messages: [{ role: 'user' as const, content: 'Are you there?' }],
    maxOutputTokens: MAX_TOKENS,
  }
  try {
    await models.generate(request, signal)
    return { target, ok: true, message: `The model ${model} answered.` }
  } catch (error) {
    // It used all of its tokens for reasoning.
    const hasAnswered = error instanceof ModelFailure && ANSWERED.has(error.kind)
    if (hasAnswered) return { target, ok: true, message: `The model ${model} answered.` }
    return { target, ok: false, message: modelReason(error, model, signal) }
  }
}

const ANSWERED = new Set(['empty', 'too_long'])

const modelReason = (error: unknown, model: string, signal: AbortSignal): string => {
  if (signal.aborted) return 'The provider did not answer in time.'
  if (!(error instanceof ModelFailure)) return 'The provider sent no readable answer.'
  const { kind, details } = error
  const { status, code } = details
  if (kind === 'timeout') return 'The provider did not answer in time.'
  if (kind === 'rate_limited') return 'The provider allows no more requests now (429).'
  if (kind === 'unreachable' && !status)
    return `The provider cannot be reached${code ? ` (${code})` : ''}.`
  return statusReason(status, model)
}

const statusReason = (status: number | undefined, model?: string): string => {
  if (status === 401 || status === 403) return `The provider refused the API key (${status}).`
  if (status === 402) return 'The account at the provider has no credit (402).'
  if (status === 404)
    return model
      ? `The provider knows neither the model ${model} nor the URL (404).`
      : 'The URL is not that of the API (404).'
  return status
    ? `The provider returned the status ${status}.`
    : 'The provider sent no readable answer.'
}

const listing = createLimitedFetch(budgets.modelLine)

const tryAnthropic = async (
  { baseUrl, apiKey }: AnthropicSettings,
  signal: AbortSignal,
): Promise<SettingTest> => {
  const target = 'anthropic'
  try {
    const response = await listing(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1/models`, {
      headers: { 'anthropic-version': ANTHROPIC_VERSION, ...(apiKey && { 'x-api-key': apiKey }) },
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return response.ok
      ? { target, ok: true, message: 'The provider listed its models.' }
      : { target, ok: false, message: statusReason(response.status) }
  } catch {
    const message = signal.aborted
      ? 'The provider did not answer in time.'
      : 'The provider cannot be reached.'
    return { target, ok: false, message }
  }
}
