import { isIP } from 'node:net'
import { TIER_NAMES, type TierName } from '../shared/schemas/billing.ts'
import type { OAuthProvider } from '../shared/schemas/oauth.ts'
import type { ProviderSettings } from './account/oauth/providers/provider.ts'
import type { StripeSettings } from './billing/stripe/settings.ts'
import { createTiers, type Tiers } from './billing/tiers.ts'
import { readTiersFile } from './billing/tiers-file.ts'
import type { TranscribeSettings } from './conversation/transcribe/endpoint.ts'
import type { EmbeddingSettings } from './memory/vectors/endpoint.ts'
import type { S3Settings } from './platform/blobs.ts'
import type { ProviderSettings as ChatProviderSettings } from './platform/models/language-model.ts'
import type { ModelSettings } from './platform/models/models.ts'
import { StartError } from './platform/start-error.ts'

/** Reads a value, or throws what it should have been. */
type Parse<T> = (text: string) => T

interface Variable<T> {
  about: string
  parse: Parse<T>
  /** Shown in the README; the value itself is made in `readConfig` where it depends on others. */
  fallback: string
  /** Another name that is honoured, because hosts set it. */
  alias?: string
}

const variable = <T>(
  about: string,
  parse: Parse<T>,
  fallback = '',
  alias?: string,
): Variable<T> => ({ about, parse, fallback, ...(alias && { alias }) })

class Wanted extends Error {}

const text: Parse<string> = (value) => value
const integer =
  (min: number, max: number): Parse<number> =>
  (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Wanted(`a whole number from ${min} to ${max}`)
    return number
  }
const url =
  (...protocols: string[]): Parse<string> =>
  (value) => {
    const wanted = `a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}`
    if (!URL.canParse(value)) throw new Wanted(wanted)
    const { protocol, hostname } = new URL(value)
    if (!protocols.includes(protocol.slice(0, -1)) || hostname === '') throw new Wanted(wanted)
    return value
  }
const webUrl = url('http', 'https')
/** Secrets go there: in the clear they stay on this machine. */
const secureUrl: Parse<string> = (value) => {
  const wanted = 'a URL that starts with https://, or http:// on this machine'
  if (!URL.canParse(value)) throw new Wanted(wanted)
  const { protocol, hostname } = new URL(value)
  const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && here)) throw new Wanted(wanted)
  return value
}
const oneOf =
  <const T extends string>(...values: T[]): Parse<T> =>
  (value) => {
    const found = values.find((candidate) => candidate === value)
    if (!found) throw new Wanted(`one of ${values.join(', ')}`)
    return found
  }
const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .map(parse)
const origin: Parse<string> = (value) => {
  const wanted = 'origins such as https://app.example.com, without a path'
  try {
    if (webUrl(value) && new URL(value).origin === value) return value
  } catch {
    // Told below, in the words of an origin.
  }
  throw new Wanted(wanted)
}
const cidr: Parse<string> = (value) => {
  const [address = '', prefix, ...rest] = value.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  const size = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits)
  if (isIP(address) === 0 || !size || rest.length)
    throw new Wanted('addresses or ranges such as 10.0.0.0/8')
  return value
}
const secret: Parse<string> = (value) => {
  if (value.length < 32) throw new Wanted('at least 32 characters')
  return value
}
const email: Parse<string> = (value) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new Wanted('email addresses')
  return value.toLowerCase()
}
const domain: Parse<string> = (value) => {
  if (!/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value))
    throw new Wanted('a domain such as example.com')
  return value
}

const OPENROUTER_URL = 'https://openrouter.ai/api/v1'
const OPENROUTER_MODEL = 'openrouter/auto'
const OPENAI_URL = 'https://api.openai.com/v1'

type OAuthPart = 'ID' | 'SECRET' | 'AUTHORIZE_URL' | 'TOKEN_URL' | 'USERINFO_URL'

const oauth = <const N extends string>(name: N, label: string) =>
  ({
    [`SVC_OAUTH_${name}_ID`]: variable(`Client id for signing in with ${label}`, text),
    [`SVC_OAUTH_${name}_SECRET`]: variable(`Client secret for ${label}`, text),
    [`SVC_OAUTH_${name}_AUTHORIZE_URL`]: variable(
      `Another authorize endpoint for ${label}`,
      secureUrl,
    ),
    [`SVC_OAUTH_${name}_TOKEN_URL`]: variable(`Another token endpoint for ${label}`, secureUrl),
    [`SVC_OAUTH_${name}_USERINFO_URL`]: variable(`Another user endpoint for ${label}`, secureUrl),
  }) as Record<`SVC_OAUTH_${N}_${OAuthPart}`, Variable<string>>

/** Every variable the server reads. The README's table is checked against this one. */
export const variables = {
  SVC_PORT: variable('The port to listen on', integer(0, 65535), '3000', 'PORT'),
  SVC_HOST: variable('The address to listen on', text, '127.0.0.1'),
  SVC_DATABASE_URL: variable(
    'A PostgreSQL 15 or later; without it the server carries its own',
    url('postgres', 'postgresql'),
    'embedded',
    'DATABASE_URL',
  ),
  SVC_DATA_DIR: variable('Where the embedded database, secrets and mail go', text, './data'),
  SVC_BASE_URL: variable('How people reach the server', webUrl, 'http://localhost:PORT'),
  SVC_FRONTEND_ORIGINS: variable(
    'Origins of web apps: CORS with cookies, OAuth return, handoff',
    listOf(origin),
  ),
  SVC_COOKIE_DOMAIN: variable('The domain that the cookie is shared on', domain),
  SVC_AUTH_SECRET: variable(
    'Signs tokens; the same in every replica',
    secret,
    'made once, kept in the data directory',
  ),
  SVC_SMTP_URL: variable('Where mail goes', url('smtp', 'smtps'), '.eml files in the outbox'),
  SVC_MAIL_FROM: variable('The sender of mail', text, 'svc <svc@localhost>'),
  SVC_ADMIN_EMAILS: variable('Accounts that are admins', listOf(email)),
  SVC_TRUSTED_PROXIES: variable('Proxies that may set X-Forwarded-For (CIDR)', listOf(cidr)),
  SVC_RATE_LIMIT_STORE: variable(
    'Where limits are counted: memory or postgres',
    oneOf('memory', 'postgres'),
    'memory',
  ),
  ...oauth('GOOGLE', 'Google'),
  SVC_OAUTH_GOOGLE_ISSUER: variable('Another issuer for Google', secureUrl),
  ...oauth('GITHUB', 'GitHub'),
  ...oauth('TWITTER', 'X (Twitter)'),
  SVC_OPENROUTER_API_KEY: variable('Chat through OpenRouter', text),
  SVC_OPENROUTER_BASE_URL: variable('Another address of it', secureUrl, OPENROUTER_URL),
  SVC_OPENROUTER_MODEL: variable('Its model', text, `SVC_CHAT_MODEL, or ${OPENROUTER_MODEL}`),
  SVC_OPENAI_BASE_URL: variable(
    'Chat through any OpenAI-compatible server',
    webUrl,
    `${OPENAI_URL} where there is a key`,
  ),
  SVC_OPENAI_API_KEY: variable('Its key', text),
  SVC_OPENAI_MODEL: variable('Its model', text, 'SVC_CHAT_MODEL'),
  SVC_OLLAMA_URL: variable('Chat through Ollama', webUrl),
  SVC_OLLAMA_MODEL: variable('Its model', text, 'SVC_CHAT_MODEL'),
  SVC_CHAT_MODEL: variable('The model of providers that have none of their own', text),
  SVC_CHAT_CONTEXT_TOKENS: variable(
    'How much a prompt and its answer may have together',
    integer(1_024, 10_000_000),
    '32768',
  ),
  SVC_CHAT_FALLBACK: variable(
    'Who answers when no provider does: local, which needs no model, or none',
    oneOf('local', 'none'),
    'local',
  ),
  SVC_EMBEDDING_URL: variable('An OpenAI-compatible embedding endpoint', webUrl),
  SVC_EMBEDDING_MODEL: variable('Its model', text),
  SVC_EMBEDDING_API_KEY: variable('Its key', text),
  SVC_EMBEDDING_DIMENSIONS: variable('The length of its vectors', integer(1, 16_000)),
  SVC_TRANSCRIBE_URL: variable('An OpenAI-compatible transcription endpoint', webUrl),
  SVC_TRANSCRIBE_MODEL: variable('Its model', text, 'whisper-1'),
  SVC_TRANSCRIBE_API_KEY: variable('Its key', text),
  SVC_STRIPE_SECRET_KEY: variable('Billing through Stripe', text),
  SVC_STRIPE_WEBHOOK_SECRET: variable('Verifies what Stripe sends', text),
  SVC_STRIPE_API_BASE: variable('Another address of Stripe’s API', secureUrl),
  SVC_TIERS: variable('A JSON file that overrides the tiers', text, 'built in'),
  SVC_DEFAULT_TIER: variable('The tier of new accounts', oneOf(...TIER_NAMES), 'amnesiac'),
  SVC_S3_BUCKET: variable('Keeps uploads in this bucket of S3', text, 'the data directory'),
  SVC_S3_ENDPOINT: variable('Its address, where it is not Amazon’s', webUrl),
  SVC_S3_REGION: variable('Its region', text),
  SVC_S3_ACCESS_KEY_ID: variable('Its access key', text),
  SVC_S3_SECRET_ACCESS_KEY: variable('Its secret key', text),
  SVC_LOG_LEVEL: variable(
    'What is logged: trace, debug, info, warn, error, fatal or silent',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
  ),
} as const

/** The README's table of variables, in Markdown. */
export const configTable = (): string =>
  ['| Variable | What it is for | Default |', '|---|---|---|', ...tableRows()].join('\n')

const tableRows = () =>
  Object.entries<Variable<unknown>>(variables).map(([name, { about, alias, fallback }]) => {
    const honoured = alias ? `; \`${alias}\` is honoured too` : ''
    return `| \`${name}\` | ${about}${honoured} | ${fallback && `${fallback} `}|`
  })

type Variables = typeof variables
type Values = { [K in keyof Variables]?: ReturnType<Variables[K]['parse']> }

export interface Config {
  host: string
  port: number
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  dataDir: string
  /** Without a trailing slash; undefined: made from the port once it is known. */
  baseUrl: string | undefined
  frontendOrigins: string[]
  cookieDomain: string | undefined
  authSecret: string | undefined
  trustedProxies: string[]
  rateLimitStore: 'memory' | 'postgres'
  /** Undefined: mail is written to the outbox. */
  smtpUrl: string | undefined
  mailFrom: string
  adminEmails: string[]
  /** Undefined: blobs go to the data directory. */
  s3: S3Settings | undefined
  /** The providers that people can sign in with. */
  oauth: Record<OAuthProvider, ProviderSettings | undefined>
  /** Who answers in a conversation. */
  chat: ModelSettings
  /** Undefined: recall goes by words alone. */
  embedding: EmbeddingSettings | undefined
  transcribe: TranscribeSettings | undefined
  defaultTier: TierName
  tiers: Tiers
  stripe: StripeSettings
  logLevel: string
  /** The variables as given, for the parts that are configured by their presence. */
  values: Values
  /** Names that look like ours and are not: told in the log, because they may be misspelt. */
  unknown: string[]
}

/**
 * Reads the environment, once.
 * @throws StartError with one line for each mistake, naming the variable and what it takes.
 */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { parse, alias }] of Object.entries(variables) as [
    string,
    Variable<unknown>,
  ][]) {
    const used = env[name] || !alias ? name : alias
    const given = env[used]?.trim()
    if (!given) continue
    try {
      values[name] = parse(given)
    } catch (error) {
      if (!(error instanceof Wanted)) throw error
      mistakes.push(`${used} takes ${error.message}`)
    }
  }

  const given = values as Values
  if (given.SVC_RATE_LIMIT_STORE === 'postgres' && !given.SVC_DATABASE_URL)
    mistakes.push('SVC_RATE_LIMIT_STORE=postgres takes a SVC_DATABASE_URL')
  if (!given.SVC_S3_BUCKET && Object.keys(given).some((name) => name.startsWith('SVC_S3_')))
    mistakes.push('SVC_S3_* takes a SVC_S3_BUCKET too')
  mistakes.push(...halfProviders(given), ...chatMistakes(given), ...embeddingMistakes(given))
  if (!given.SVC_TRANSCRIBE_URL && (given.SVC_TRANSCRIBE_MODEL || given.SVC_TRANSCRIBE_API_KEY))
    mistakes.push('SVC_TRANSCRIBE_* takes a SVC_TRANSCRIBE_URL too')
  const tiers = given.SVC_TIERS ? readTiersFile(given.SVC_TIERS) : undefined
  mistakes.push(...(tiers?.mistakes ?? []), ...stripeMistakes(given))
  if (mistakes.length) throw new StartError(mistakes.join('\n'))

  return {
    host: given.SVC_HOST ?? '127.0.0.1',
    port: given.SVC_PORT ?? 3000,
    databaseUrl: given.SVC_DATABASE_URL,
    dataDir: given.SVC_DATA_DIR ?? './data',
    baseUrl: given.SVC_BASE_URL?.replace(/\/+$/, ''),
    frontendOrigins: given.SVC_FRONTEND_ORIGINS ?? [],
    cookieDomain: given.SVC_COOKIE_DOMAIN,
    authSecret: given.SVC_AUTH_SECRET,
    trustedProxies: given.SVC_TRUSTED_PROXIES ?? [],
    rateLimitStore: given.SVC_RATE_LIMIT_STORE ?? 'memory',
    smtpUrl: given.SVC_SMTP_URL,
    mailFrom: given.SVC_MAIL_FROM ?? 'svc <svc@localhost>',
    adminEmails: given.SVC_ADMIN_EMAILS ?? [],
    s3: s3Of(given),
    oauth: {
      google: providerOf(given, 'GOOGLE', given.SVC_OAUTH_GOOGLE_ISSUER),
      github: providerOf(given, 'GITHUB'),
      twitter: providerOf(given, 'TWITTER'),
    },
    chat: chatOf(given),
    embedding: embeddingOf(given),
    transcribe: transcribeOf(given),
    defaultTier: given.SVC_DEFAULT_TIER ?? 'amnesiac',
    tiers: createTiers(tiers?.overrides),
    stripe: {
      secretKey: given.SVC_STRIPE_SECRET_KEY,
      webhookSecret: given.SVC_STRIPE_WEBHOOK_SECRET,
      apiBase: given.SVC_STRIPE_API_BASE,
    },
    logLevel: given.SVC_LOG_LEVEL ?? 'info',
    values: given,
    unknown: Object.keys(env).filter(
      (name) => name.startsWith('SVC_') && !(name in variables) && !CLIENT_VARIABLES.has(name),
    ),
  }
}

/** Whoever pays must get what they paid for, which Stripe tells by webhooks. */
const stripeMistakes = (given: Values): string[] => {
  const mistakes: string[] = []
  if (given.SVC_STRIPE_SECRET_KEY && !given.SVC_STRIPE_WEBHOOK_SECRET)
    mistakes.push('SVC_STRIPE_SECRET_KEY takes a SVC_STRIPE_WEBHOOK_SECRET too')
  if (given.SVC_STRIPE_API_BASE && !given.SVC_STRIPE_SECRET_KEY)
    mistakes.push('SVC_STRIPE_API_BASE takes a SVC_STRIPE_SECRET_KEY too')
  return mistakes
}

const s3Of = (given: Values): S3Settings | undefined =>
  given.SVC_S3_BUCKET === undefined
    ? undefined
    : {
        endpoint: given.SVC_S3_ENDPOINT,
        bucket: given.SVC_S3_BUCKET,
        region: given.SVC_S3_REGION,
        accessKeyId: given.SVC_S3_ACCESS_KEY_ID,
        secretAccessKey: given.SVC_S3_SECRET_ACCESS_KEY,
      }

const transcribeOf = (given: Values): TranscribeSettings | undefined =>
  given.SVC_TRANSCRIBE_URL
    ? {
        url: given.SVC_TRANSCRIBE_URL,
        model: given.SVC_TRANSCRIBE_MODEL,
        apiKey: given.SVC_TRANSCRIBE_API_KEY,
      }
    : undefined

const embeddingOf = (given: Values): EmbeddingSettings | undefined =>
  given.SVC_EMBEDDING_URL && given.SVC_EMBEDDING_MODEL
    ? {
        url: given.SVC_EMBEDDING_URL,
        model: given.SVC_EMBEDDING_MODEL,
        apiKey: given.SVC_EMBEDDING_API_KEY,
        dimensions: given.SVC_EMBEDDING_DIMENSIONS,
      }
    : undefined

const embeddingMistakes = (given: Values): string[] => {
  const { SVC_EMBEDDING_URL: url, SVC_EMBEDDING_MODEL: model } = given
  if (url && !model) return ['SVC_EMBEDDING_URL takes a SVC_EMBEDDING_MODEL too']
  const others = Object.keys(given).some((name) => name.startsWith('SVC_EMBEDDING_'))
  return others && !url ? ['SVC_EMBEDDING_* takes a SVC_EMBEDDING_URL too'] : []
}

const OAUTH_NAMES = ['GOOGLE', 'GITHUB', 'TWITTER'] as const

const providerOf = (
  given: Values,
  name: (typeof OAUTH_NAMES)[number],
  issuer?: string,
): ProviderSettings | undefined => {
  const clientId = given[`SVC_OAUTH_${name}_ID`]
  const clientSecret = given[`SVC_OAUTH_${name}_SECRET`]
  if (clientId === undefined || clientSecret === undefined) return undefined
  return {
    clientId,
    clientSecret,
    issuer,
    authorizeUrl: given[`SVC_OAUTH_${name}_AUTHORIZE_URL`],
    tokenUrl: given[`SVC_OAUTH_${name}_TOKEN_URL`],
    userinfoUrl: given[`SVC_OAUTH_${name}_USERINFO_URL`],
  }
}

/** A client without its secret, or the other way round, would silently be no provider at all. */
const halfProviders = (given: Values): string[] =>
  OAUTH_NAMES.flatMap((name) => {
    const pair = [`SVC_OAUTH_${name}_ID`, `SVC_OAUTH_${name}_SECRET`] as const
    const missing = pair.filter((half) => given[half] === undefined)
    const there = pair.filter((half) => given[half] !== undefined)
    return missing.length === 1 ? [`${there} takes a ${missing}`] : []
  })

const chatOf = (given: Values): ModelSettings => ({
  providers: chatProviders(given).flatMap(({ model, ...provider }) =>
    model ? [{ ...provider, model }] : [],
  ),
  contextTokens: given.SVC_CHAT_CONTEXT_TOKENS ?? 32_768,
  fallsBackToLocal: given.SVC_CHAT_FALLBACK !== 'none',
})

type ChatProvider = Omit<ChatProviderSettings, 'model'> & { model: string | undefined }

const chatProviders = (given: Values): ChatProvider[] => {
  const { SVC_CHAT_MODEL: model, SVC_OPENAI_API_KEY, SVC_OPENAI_BASE_URL } = given
  const providers: ChatProvider[] = []
  if (given.SVC_OPENROUTER_API_KEY)
    providers.push({
      name: 'openrouter',
      baseUrl: given.SVC_OPENROUTER_BASE_URL ?? OPENROUTER_URL,
      apiKey: given.SVC_OPENROUTER_API_KEY,
      model: given.SVC_OPENROUTER_MODEL ?? model ?? OPENROUTER_MODEL,
    })
  if (SVC_OPENAI_BASE_URL || SVC_OPENAI_API_KEY)
    providers.push({
      name: 'openai',
      baseUrl: SVC_OPENAI_BASE_URL ?? OPENAI_URL,
      apiKey: SVC_OPENAI_API_KEY,
      model: given.SVC_OPENAI_MODEL ?? model,
    })
  if (given.SVC_OLLAMA_URL)
    providers.push({
      name: 'ollama',
      // Its OpenAI-compatible side.
      baseUrl: `${given.SVC_OLLAMA_URL.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`,
      apiKey: undefined,
      model: given.SVC_OLLAMA_MODEL ?? model,
    })
  return providers
}

const chatMistakes = (given: Values): string[] => {
  const providers = chatProviders(given)
  const mistakes: string[] = providers
    .filter(({ model }) => model === undefined)
    .map(({ name }) =>
      name === 'ollama'
        ? 'SVC_OLLAMA_URL takes a SVC_OLLAMA_MODEL too, or a SVC_CHAT_MODEL'
        : 'SVC_OPENAI_* takes a SVC_OPENAI_MODEL too, or a SVC_CHAT_MODEL',
    )
  if (given.SVC_OPENROUTER_BASE_URL && !given.SVC_OPENROUTER_API_KEY)
    mistakes.push('SVC_OPENROUTER_BASE_URL takes a SVC_OPENROUTER_API_KEY too')
  if (given.SVC_CHAT_FALLBACK === 'none' && providers.length === 0)
    mistakes.push(
      'SVC_CHAT_FALLBACK=none takes a provider: SVC_OPENROUTER_API_KEY, SVC_OPENAI_BASE_URL or SVC_OLLAMA_URL',
    )
  return mistakes
}

/** What the terminal and MCP read from the same environment. */
const CLIENT_VARIABLES = new Set(['SVC_API_KEY', 'SVC_URL', 'SVC_PROFILE', 'SVC_CONFIG_DIR'])
