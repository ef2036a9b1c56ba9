import { availableParallelism } from 'node:os'
import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import { OAUTH_PROVIDERS } from '../../shared/contract/oauth-sign-in.ts'
import type { OAuthProviderSettings } from '../account/sign-in/oauth/providers/provider.ts'
import type { TranscribeSettings } from '../conversation/transcribe/client.ts'
import type { EncoderSettings } from '../memory/engines/embedding/encoder/encoder.ts'
import { chosenEncoder, defaultEncoder } from '../memory/engines/embedding/encoder/names.ts'
import type { EmbeddingSettings } from '../memory/engines/embedding/endpoint.ts'
import type { S3Options } from '../platform/blobs.ts'
import type {
  AnthropicSettings,
  ModelProviderSettings as ChatProviderSettings,
} from '../platform/models/language-model.ts'
import type { ModelSettings } from '../platform/models/models.ts'
import { oauthVariable } from './oauth.ts'
import {
  ANTHROPIC_URL,
  OPENAI_URL,
  OPENROUTER_MODEL,
  OPENROUTER_URL,
  type Values,
} from './variables.ts'

/** The webhook secret is required, because payments are credited only through webhooks. */
export const stripeMistakes = (values: Values): string[] => {
  const mistakes: string[] = []
  if (values.SVC_STRIPE_SECRET_KEY && !values.SVC_STRIPE_WEBHOOK_SECRET)
    mistakes.push('SVC_STRIPE_SECRET_KEY requires SVC_STRIPE_WEBHOOK_SECRET')
  if (values.SVC_STRIPE_API_BASE && !values.SVC_STRIPE_SECRET_KEY)
    mistakes.push('SVC_STRIPE_API_BASE requires SVC_STRIPE_SECRET_KEY')
  return mistakes
}

const MAX_DEFAULT_PROCESSES = 8

/**
 * The number of processes that serve. PostgreSQL needs about as much of the processors as they do. On other
 * systems than Linux the kernel does not divide the connections of a port between processes.
 */
export const processesOf = (values: Values): number => {
  if (process.platform !== 'linux' || values.SVC_ROLE === 'worker') return 1
  const { SVC_PROCESSES: chosen, SVC_RATE_LIMIT_STORE: store } = values
  if (chosen !== undefined) return chosen
  if (store === 'memory') return 1
  return Math.max(1, Math.min(MAX_DEFAULT_PROCESSES, Math.floor(availableParallelism() / 2)))
}

/** Several processes must count together, and a worker serves no requests. */
export const processMistakes = ({
  SVC_PROCESSES: chosen = 1,
  SVC_RATE_LIMIT_STORE: store,
  SVC_ROLE: role,
}: Values): string[] => {
  if (chosen === 1) return []
  if (process.platform !== 'linux')
    return [`SVC_PROCESSES=${chosen} requires Linux; start several servers behind a proxy instead`]
  if (role === 'worker')
    return ['SVC_PROCESSES is for processes that answer requests, not for SVC_ROLE=worker']
  return store === 'memory' ? [`SVC_RATE_LIMIT_STORE=memory requires SVC_PROCESSES=1`] : []
}

/** Processes with different roles are several, so they need what processes must share. */
export const roleMistakes = (values: Values): string[] => {
  const { SVC_ROLE: role = 'all' } = values
  if (role === 'all') return []
  if (!values.SVC_DATABASE_URL)
    return [
      `SVC_ROLE=${role} requires SVC_DATABASE_URL; the embedded database allows SVC_ROLE=all only`,
    ]
  return (['SVC_AUTH_SECRET', 'SVC_BASE_URL'] as const)
    .filter((name) => !values[name])
    .map((name) => `SVC_ROLE=${role} requires ${name}, the same for all processes`)
}

export const s3Of = (values: Values): S3Options | undefined =>
  values.SVC_S3_BUCKET === undefined
    ? undefined
    : {
        endpoint: values.SVC_S3_ENDPOINT,
        bucket: values.SVC_S3_BUCKET,
        region: values.SVC_S3_REGION,
        accessKeyId: values.SVC_S3_ACCESS_KEY_ID,
        secretAccessKey: values.SVC_S3_SECRET_ACCESS_KEY,
      }

export const transcribeOf = (values: Values): TranscribeSettings | undefined =>
  values.SVC_TRANSCRIBE_URL
    ? {
        url: values.SVC_TRANSCRIBE_URL,
        model: values.SVC_TRANSCRIBE_MODEL,
        apiKey: values.SVC_TRANSCRIBE_API_KEY,
      }
    : undefined

export const anthropicOf = ({
  SVC_ANTHROPIC_API_KEY: apiKey,
  SVC_ANTHROPIC_BASE_URL: baseUrl,
}: Values): AnthropicSettings | undefined =>
  apiKey || baseUrl ? { baseUrl: baseUrl ?? ANTHROPIC_URL, apiKey } : undefined

export const embeddingOf = (
  values: Values,
  dataDir: string,
): EmbeddingSettings | EncoderSettings | undefined => {
  const { SVC_EMBEDDING: model } = values
  if (model === 'off') return undefined
  return model ? chosenEncoder(dataDir, model) : (endpointOf(values) ?? defaultEncoder(dataDir))
}

const endpointOf = (values: Values): EmbeddingSettings | undefined =>
  values.SVC_EMBEDDING_URL && values.SVC_EMBEDDING_MODEL
    ? {
        url: values.SVC_EMBEDDING_URL,
        model: values.SVC_EMBEDDING_MODEL,
        apiKey: values.SVC_EMBEDDING_API_KEY,
        dimensions: values.SVC_EMBEDDING_DIMENSIONS,
      }
    : undefined

export const embeddingMistakes = (values: Values): string[] => {
  const { SVC_EMBEDDING_URL: url, SVC_EMBEDDING_MODEL: model } = values
  if (url && values.SVC_EMBEDDING) return ['SVC_EMBEDDING and SVC_EMBEDDING_URL exclude each other']
  if (url && !model) return ['SVC_EMBEDDING_URL requires SVC_EMBEDDING_MODEL']
  const others = Object.keys(values).some((name) => name.startsWith('SVC_EMBEDDING_'))
  return others && !url ? ['SVC_EMBEDDING_* requires SVC_EMBEDDING_URL'] : []
}

export const oauthOf = (values: Values): Record<OAuthProvider, OAuthProviderSettings | undefined> =>
  Object.fromEntries(OAUTH_PROVIDERS.map((name) => [name, oauthSettings(values, name)])) as Record<
    OAuthProvider,
    OAuthProviderSettings | undefined
  >

const oauthSettings = (values: Values, name: OAuthProvider): OAuthProviderSettings | undefined => {
  const clientId = values[oauthVariable(name, 'ID')]
  const clientSecret = values[oauthVariable(name, 'SECRET')]
  if (clientId === undefined || clientSecret === undefined) return undefined
  return {
    clientId,
    clientSecret,
    issuer: values[oauthVariable(name, 'ISSUER')],
    authorizeUrl: values[oauthVariable(name, 'AUTHORIZE_URL')],
    tokenUrl: values[oauthVariable(name, 'TOKEN_URL')],
    userinfoUrl: values[oauthVariable(name, 'USERINFO_URL')],
  }
}

/** A client id without a secret, or a secret without an id, would silently disable the provider. */
export const oauthMistakes = (values: Values): string[] =>
  OAUTH_PROVIDERS.flatMap((name) => {
    const pair = [oauthVariable(name, 'ID'), oauthVariable(name, 'SECRET')]
    const missing = pair.filter((name) => values[name] === undefined)
    const present = pair.filter((name) => values[name] !== undefined)
    return missing.length === 1 ? [`${present} requires ${missing}`] : []
  })

export const chatOf = (values: Values): ModelSettings => ({
  providers: chatProviders(values).flatMap(({ model, ...provider }) =>
    model ? [{ ...provider, model }] : [],
  ),
  contextTokens: values.SVC_CHAT_CONTEXT_TOKENS ?? 32_768,
  fallsBackToLocal: values.SVC_CHAT_FALLBACK !== 'none',
})

type ChatProvider = Omit<ChatProviderSettings, 'model'> & { model: string | undefined }

const chatProviders = (values: Values): ChatProvider[] => {
  const { SVC_CHAT_MODEL: model, SVC_OPENAI_API_KEY, SVC_OPENAI_BASE_URL } = values
  const providers: ChatProvider[] = []
  if (values.SVC_OPENROUTER_API_KEY)
    providers.push({
      name: 'openrouter',
      baseUrl: values.SVC_OPENROUTER_BASE_URL ?? OPENROUTER_URL,
      apiKey: values.SVC_OPENROUTER_API_KEY,
      model: values.SVC_OPENROUTER_MODEL ?? model ?? OPENROUTER_MODEL,
    })
  if (SVC_OPENAI_BASE_URL || SVC_OPENAI_API_KEY)
    providers.push({
      name: 'openai',
      baseUrl: SVC_OPENAI_BASE_URL ?? OPENAI_URL,
      apiKey: SVC_OPENAI_API_KEY,
      model: values.SVC_OPENAI_MODEL ?? model,
    })
  if (values.SVC_OLLAMA_URL)
    providers.push({
      name: 'ollama',
      // Ollama's OpenAI-compatible API.
      baseUrl: `${values.SVC_OLLAMA_URL.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1`,
      apiKey: undefined,
      model: values.SVC_OLLAMA_MODEL ?? model,
    })
  return providers
}

export const chatMistakes = (values: Values): string[] => {
  const providers = chatProviders(values)
  const mistakes: string[] = providers
    .filter(({ model }) => model === undefined)
    .map(({ name }) =>
      name === 'ollama'
        ? 'SVC_OLLAMA_URL requires SVC_OLLAMA_MODEL or SVC_CHAT_MODEL'
        : 'SVC_OPENAI_* requires SVC_OPENAI_MODEL or SVC_CHAT_MODEL',
    )
  if (values.SVC_OPENROUTER_BASE_URL && !values.SVC_OPENROUTER_API_KEY)
    mistakes.push('SVC_OPENROUTER_BASE_URL requires SVC_OPENROUTER_API_KEY')
  if (values.SVC_CHAT_FALLBACK === 'none' && providers.length === 0)
    mistakes.push(
      'SVC_CHAT_FALLBACK=none requires a provider: SVC_OPENROUTER_API_KEY, SVC_OPENAI_BASE_URL or SVC_OLLAMA_URL',
    )
  return mistakes
}
