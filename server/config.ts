import { resolve } from 'node:path'
import type { ServerRole } from '../shared/contract/health.ts'
import type { OAuthProvider } from '../shared/contract/oauth-sign-in.ts'
import { DEFAULT_TIER, type TierName } from '../shared/tiers.ts'
import type { ActivitySettings } from './account/activity/service.ts'
import type { OpenIdSettings } from './account/sign-in/oauth/providers/openid.ts'
import type { OAuthProviderSettings } from './account/sign-in/oauth/providers/provider.ts'
import type { StripeSettings } from './billing/stripe/client.ts'
import { createTierCatalog, type TierCatalog } from './billing/tiers.ts'
import { readTiersFile } from './billing/tiers-file.ts'
import { readOpenId } from './config-openid.ts'
import { InvalidValue } from './config-parsers.ts'
import {
  anthropicOf,
  chatMistakes,
  chatOf,
  embeddingMistakes,
  embeddingOf,
  oauthMistakes,
  oauthOf,
  processesOf,
  processMistakes,
  roleMistakes,
  s3Of,
  stripeMistakes,
  transcribeOf,
} from './config-settings.ts'
import { MODELS_URL, type Values, type Variable, variables } from './config-variables.ts'
import type { AnthropicSettings } from './conversation/proxy/upstream.ts'
import type { TranscribeSettings } from './conversation/transcribe/client.ts'
import type { EncoderSettings } from './memory/engines/embedding/encoder/encoder.ts'
import type { EmbeddingSettings } from './memory/engines/embedding/endpoint.ts'
import type { S3Settings } from './platform/blobs.ts'
import type { ModelSettings } from './platform/models/models.ts'
import { StartError } from './platform/operator-error.ts'
import { MEMBER_VARIABLE } from './platform/web-processes.ts'

export interface Config {
  host: string
  port: number
  /** `npm start` of this package has started the process. */
  startedByNpm: boolean
  role: ServerRole
  /** The number of processes of this server that answer requests. */
  processes: number
  /** The time between a failing `/api/ready` and the end of the server. */
  drainSeconds: number
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  /** Undefined: all reads are of `databaseUrl`. */
  databaseReadUrl: string | undefined
  /** Absolute. */
  dataDir: string
  /** Without a trailing slash. Undefined: `http://localhost:PORT`. */
  baseUrl: string | undefined
  frontendOrigins: string[]
  cookieDomain: string | undefined
  authSecret: string | undefined
  /** Accepted beside `authSecret`, so that a rotation signs no user out. */
  previousAuthSecret: string | undefined
  trustedProxies: string[]
  /** Undefined: in memory if the server has one process. */
  rateLimitStore: 'memory' | 'postgres' | undefined
  /** Undefined: emails are written to the outbox directory. */
  smtpUrl: string | undefined
  /** Undefined: `/metrics` is not served. */
  metricsToken: string | undefined
  /** Undefined: no traces and logs are exported. */
  telemetry: { serviceName: string } | undefined
  mailFrom: string
  adminEmails: string[]
  /** Undefined: blobs are stored in the data directory. */
  s3: S3Settings | undefined
  /** The OAuth providers that users can sign in with. */
  oauth: Record<OAuthProvider, OAuthProviderSettings | undefined>
  /** Further OpenID providers. */
  openId: OpenIdSettings[]
  /** The model providers of conversations. */
  chat: ModelSettings
  activity: ActivitySettings
  /** For the indexes of owners in use. */
  recallCacheBytes: number
  /** Undefined: recall uses the built-in word vectors. */
  embedding: EmbeddingSettings | EncoderSettings | undefined
  /** The hub of `svc models install`. */
  modelsUrl: string
  transcribe: TranscribeSettings | undefined
  /** Undefined: the Anthropic API is not served. */
  anthropic: AnthropicSettings | undefined
  defaultTier: TierName
  tiers: TierCatalog
  stripe: StripeSettings
  /** Which writes of memories are redacted. */
  redact: 'off' | 'hooks' | 'on'
  logLevel: string
  /** The parsed variables, without defaults. */
  values: Values
  /** Variables with the prefix `SVC_` that do not exist. They may be misspelt, so they are logged. */
  unknown: string[]
}

/**
 * Reads the configuration from the environment.
 * @throws StartError with one line for each mistake, which names the variable and the expected value.
 */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const mistakes: string[] = []
  const parsed: Record<string, unknown> = {}
  for (const [name, { parse, alias }] of Object.entries(variables) as [
    string,
    Variable<unknown>,
  ][]) {
    const key = env[name] || !alias ? name : alias
    const value = env[key]?.trim()
    if (!value) continue
    try {
      parsed[name] = parse(value)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      mistakes.push(`${key} must be ${error.message}`)
    }
  }

  const values = parsed as Values
  if (values.SVC_RATE_LIMIT_STORE === 'postgres' && !values.SVC_DATABASE_URL)
    mistakes.push('SVC_RATE_LIMIT_STORE=postgres requires SVC_DATABASE_URL')
  if (values.SVC_DATABASE_READ_URL && !values.SVC_DATABASE_URL)
    mistakes.push('SVC_DATABASE_READ_URL requires SVC_DATABASE_URL')
  if (!values.SVC_S3_BUCKET && Object.keys(values).some((name) => name.startsWith('SVC_S3_')))
    mistakes.push('SVC_S3_* requires SVC_S3_BUCKET')
  if (values.SVC_AUTH_SECRET_PREVIOUS && !values.SVC_AUTH_SECRET)
    mistakes.push('SVC_AUTH_SECRET_PREVIOUS requires SVC_AUTH_SECRET')
  const openId = readOpenId(env)
  mistakes.push(...openId.mistakes, ...roleMistakes(values), ...processMistakes(values))
  mistakes.push(...oauthMistakes(values), ...chatMistakes(values), ...embeddingMistakes(values))
  if (!values.SVC_TRANSCRIBE_URL && (values.SVC_TRANSCRIBE_MODEL || values.SVC_TRANSCRIBE_API_KEY))
    mistakes.push('SVC_TRANSCRIBE_* requires SVC_TRANSCRIBE_URL')
  const tiers = values.SVC_TIERS ? readTiersFile(values.SVC_TIERS) : undefined
  mistakes.push(...(tiers?.problems ?? []), ...stripeMistakes(values))
  if (mistakes.length) throw new StartError(mistakes.join('\n'))

  const role = values.SVC_ROLE ?? 'all'
  const dataDir = values.SVC_DATA_DIR ?? resolve('data')
  return {
    host: values.SVC_HOST ?? '127.0.0.1',
    port: values.SVC_PORT ?? 3000,
    startedByNpm: env.npm_lifecycle_event === 'start' && env.npm_package_name === 'svc',
    role,
    processes: processesOf(values),
    drainSeconds: values.SVC_DRAIN_SECONDS ?? 0,
    databaseUrl: values.SVC_DATABASE_URL,
    databaseReadUrl: values.SVC_DATABASE_READ_URL,
    dataDir,
    baseUrl: values.SVC_BASE_URL?.replace(/(?<!\/)\/+$/, ''),
    frontendOrigins: values.SVC_FRONTEND_ORIGINS ?? [],
    cookieDomain: values.SVC_COOKIE_DOMAIN,
    authSecret: values.SVC_AUTH_SECRET,
    previousAuthSecret: values.SVC_AUTH_SECRET_PREVIOUS,
    trustedProxies: values.SVC_TRUSTED_PROXIES ?? [],
    rateLimitStore: values.SVC_RATE_LIMIT_STORE ?? (role === 'all' ? undefined : 'postgres'),
    smtpUrl: values.SVC_SMTP_URL,
    metricsToken: values.SVC_METRICS_TOKEN,
    telemetry: telemetryOf(env),
    mailFrom: values.SVC_MAIL_FROM ?? 'svc <svc@localhost>',
    adminEmails: values.SVC_ADMIN_EMAILS ?? [],
    s3: s3Of(values),
    oauth: oauthOf(values),
    openId: openId.providers,
    chat: chatOf(values),
    activity: {
      days: values.SVC_ACTIVITY_DAYS ?? DEFAULT_ACTIVITY_DAYS,
      keepsQuestions: values.SVC_ACTIVITY_QUESTIONS !== 'off',
      redacts: values.SVC_REDACT !== 'off',
    },
    recallCacheBytes: (values.SVC_RECALL_CACHE_MB ?? DEFAULT_RECALL_CACHE_MB) * 1024 * 1024,
    embedding: embeddingOf(values, dataDir),
    modelsUrl: values.SVC_MODELS_URL ?? MODELS_URL,
    transcribe: transcribeOf(values),
    anthropic: anthropicOf(values),
    defaultTier: values.SVC_DEFAULT_TIER ?? DEFAULT_TIER,
    tiers: createTierCatalog(tiers?.overrides),
    stripe: {
      secretKey: values.SVC_STRIPE_SECRET_KEY,
      webhookSecret: values.SVC_STRIPE_WEBHOOK_SECRET,
      apiBase: values.SVC_STRIPE_API_BASE,
    },
    redact: values.SVC_REDACT ?? 'hooks',
    logLevel: values.SVC_LOG_LEVEL ?? 'info',
    values,
    unknown: Object.keys(env).filter(
      (name) =>
        name.startsWith('SVC_') &&
        !(name in variables) &&
        !openId.names.has(name) &&
        !CLIENT_VARIABLES.has(name),
    ),
  }
}

const DEFAULT_ACTIVITY_DAYS = 30
const DEFAULT_RECALL_CACHE_MB = 128

const TELEMETRY_VARIABLES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_LOGS_EXPORTER',
]

/** The standard variables of OpenTelemetry enable it. Its SDK reads the others by itself. */
const telemetryOf = (env: Record<string, string | undefined>): Config['telemetry'] => {
  const isWanted = TELEMETRY_VARIABLES.some((name) => env[name] && env[name] !== 'none')
  if (!isWanted || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  return { serviceName: env.OTEL_SERVICE_NAME || 'svc' }
}

/** Variables of the CLI and the MCP server in the same environment, and of a further process of a server. */
const CLIENT_VARIABLES = new Set([
  'SVC_API_KEY',
  'SVC_URL',
  'SVC_PROFILE',
  'SVC_CONFIG_DIR',
  'SVC_BACKUP_PASSPHRASE',
  MEMBER_VARIABLE,
])
