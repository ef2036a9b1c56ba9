import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { ServerRole } from '../../shared/contract/health.ts'
import type { OptionalFeatureName } from '../../shared/features.ts'
import type { OpenIdProviderOptions } from '../account/sign-in/oauth/providers/openid.ts'
import type { EncoderSettings } from '../memory/engines/embedding/encoder/encoder.ts'
import type { EmbeddingSettings } from '../memory/engines/embedding/endpoint.ts'
import type { S3Options } from '../platform/blobs.ts'
import type { FORWARDED_HEADERS } from '../platform/http/address.ts'
import { StartError } from '../platform/operator-error.ts'
import { MEMBER_VARIABLE } from '../platform/web-processes.ts'
import { createTierCatalog, type TierCatalog } from '../usage/tiers.ts'
import { readTiersFile } from '../usage/tiers-file.ts'
import { type ChangeableConfig, changeableOf, mistakesOf } from './changeable.ts'
import type { Variable } from './declaration.ts'
import { readOpenId } from './openid.ts'
import { InvalidValue } from './parsers.ts'
import { embeddingOf, processesOf, s3Of, stripeMistakes } from './settings.ts'
import { MODELS_URL, type Values, variables } from './variables.ts'

export interface Config extends ChangeableConfig {
  host: string
  port: number
  /** `npm start` of this package has started the process. */
  startedByNpm: boolean
  role: ServerRole
  /** The number of processes of this server that answer requests. */
  processes: number
  /** The time between a failing `/api/ready` and the end of the server. */
  featuresOff: ReadonlySet<OptionalFeatureName>
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
  /** Public keys of other servers, whose exports are trusted like those of this one. */
  trustedExportKeys: string[]
  /** The header in which they name the client. Undefined: X-Forwarded-For, and Forwarded without it. */
  forwardedHeader: (typeof FORWARDED_HEADERS)[number] | undefined
  /** Undefined: in memory if the server has one process. */
  rateLimitStore: 'memory' | 'postgres' | undefined
  /** Undefined: `/metrics` is not served. */
  metricsToken: string | undefined
  /** Undefined: no traces and logs are exported. */
  telemetry: { serviceName: string } | undefined
  adminEmails: string[]
  /** Undefined: blobs are stored in the data directory. */
  s3: S3Options | undefined
  /** The OpenID providers that users can sign in with beside `oauth`. */
  openId: OpenIdProviderOptions[]
  /** For the indexes of owners in use. */
  indexBytes: number
  /** Undefined: recall searches by words alone. */
  embedding: EmbeddingSettings | EncoderSettings | undefined
  /** The hub of `svc models install`. */
  modelsUrl: string
  tiers: TierCatalog
  stripe: {
    /** Without it, the server takes no payments. */
    secretKey: string | undefined
    /** Without it, the server accepts no webhooks. */
    webhookSecret: string | undefined
    /** Base URL of Stripe's API, if not Stripe's own. */
    apiBase: string | undefined
  }
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
  const { values, mistakes } = readVariables(env)
  mistakes.push(...mistakesOf(values))
  const tiers = values.SVC_TIERS ? readTiersFile(values.SVC_TIERS) : undefined
  mistakes.push(...(tiers?.problems ?? []), ...stripeMistakes(values))
  if (mistakes.length) throw new StartError(mistakes.join('\n'))
  return configOf(env, values, createTierCatalog(tiers?.overrides))
}

const readVariables = (
  env: Record<string, string | undefined>,
): { values: Values; mistakes: string[] } => {
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

  mistakes.push(...readOpenId(env).mistakes)
  return { values: parsed as Values, mistakes }
}

const configOf = (
  env: Record<string, string | undefined>,
  values: Values,
  tiers: TierCatalog,
): Config => {
  const role = values.SVC_ROLE ?? 'all'
  const dataDir = values.SVC_DATA_DIR ?? resolve('data')
  const openId = readOpenId(env)
  return {
    host: values.SVC_HOST ?? '127.0.0.1',
    port: values.SVC_PORT ?? 3000,
    startedByNpm: env.npm_lifecycle_event === 'start' && env.npm_package_name === 'svc',
    role,
    processes: processesOf(values),
    featuresOff: values.SVC_FEATURES ?? new Set(),
    drainSeconds: values.SVC_DRAIN_SECONDS ?? 0,
    databaseUrl: values.SVC_DATABASE_URL,
    databaseReadUrl: values.SVC_DATABASE_READ_URL,
    dataDir,
    baseUrl: values.SVC_BASE_URL,
    frontendOrigins: values.SVC_FRONTEND_ORIGINS ?? [],
    cookieDomain: values.SVC_COOKIE_DOMAIN,
    authSecret: values.SVC_AUTH_SECRET,
    previousAuthSecret: values.SVC_AUTH_SECRET_PREVIOUS,
    trustedProxies: values.SVC_TRUSTED_PROXIES ?? [],
    trustedExportKeys: values.SVC_TRUSTED_EXPORT_KEYS ?? [],
    forwardedHeader: values.SVC_FORWARDED_HEADER,
    rateLimitStore: values.SVC_RATE_LIMIT_STORE ?? (role === 'all' ? undefined : 'postgres'),
    metricsToken: values.SVC_METRICS_TOKEN,
    telemetry: telemetryOf(env),
    adminEmails: values.SVC_ADMIN_EMAILS ?? [],
    s3: s3Of(values),
    openId: openId.providers,
    indexBytes:
      values.SVC_INDEX_MB === undefined ? memoryBytes() / 10 : values.SVC_INDEX_MB * 1024 * 1024,
    embedding: embeddingOf(values, dataDir),
    modelsUrl: values.SVC_MODELS_URL ?? MODELS_URL,
    tiers,
    stripe: {
      secretKey: values.SVC_STRIPE_SECRET_KEY,
      webhookSecret: values.SVC_STRIPE_WEBHOOK_SECRET,
      apiBase: values.SVC_STRIPE_API_BASE,
    },
    ...changeableOf(values),
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

/** The memory of the machine, or of the container. */
const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())

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
  MEMBER_VARIABLE,
])

/**
 * Settings that are correct only if all processes share a directory or need not share anything, for the
 * log of a process whose role implies that there are others.
 */
export const roleWarnings = ({
  role,
  s3,
  smtpUrl,
  rateLimitStore,
}: Pick<Config, 'role' | 's3' | 'smtpUrl' | 'rateLimitStore'>): string[] =>
  role === 'all'
    ? []
    : [
        ...(s3
          ? []
          : [
              'uploads are stored in SVC_DATA_DIR, which all processes must share; or set SVC_S3_BUCKET',
            ]),
        ...(smtpUrl
          ? []
          : ['emails are written to the outbox of the worker; set SVC_SMTP_URL to send them']),
        ...(rateLimitStore === 'postgres'
          ? []
          : ['each process counts rate limits alone; set SVC_RATE_LIMIT_STORE=postgres']),
      ]
