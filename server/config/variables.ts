import { SERVER_ROLES } from '../../shared/contract/health.ts'
import { SIGN_UP_MODES } from '../../shared/contract/sign-up.ts'
import { OPTIONAL_FEATURES } from '../../shared/features.ts'
import { DEFAULT_TIER, TIER_NAMES } from '../../shared/tiers.ts'
import { FORWARDED_HEADERS } from '../platform/http/address.ts'
import { setting, variable } from './declaration.ts'
import { oauthVariables } from './oauth.ts'
import {
  absolutePath,
  cidr,
  cron,
  domain,
  email,
  encoderModel,
  exportKey,
  features,
  integer,
  listOf,
  mailDomain,
  oneOf,
  origin,
  passphrase,
  path,
  publicUrl,
  secret,
  secureUrl,
  sender,
  text,
  url,
  webUrl,
} from './parsers.ts'

export const OPENROUTER_URL = 'https://openrouter.ai/api/v1'
export const MODELS_URL = 'https://huggingface.co'
export const OPENROUTER_MODEL = 'openrouter/auto'
export const ANTHROPIC_URL = 'https://api.anthropic.com'
export const OPENAI_URL = 'https://api.openai.com/v1'

/** Every variable that the server reads. A test compares the table of `docs/reference/configuration.md` with this one. */
export const variables = {
  SVC_PORT: variable('The port to listen on', integer(0, 65535), '3000', 'PORT'),
  SVC_HOST: variable('The address to listen on', text, '127.0.0.1'),
  SVC_ROLE: variable(
    'The work of this process: web answers requests, worker does background work, all does both',
    oneOf(...SERVER_ROLES),
    'all',
  ),
  SVC_PROCESSES: variable(
    'Processes that answer requests on the port; more than 1 on Linux only',
    integer(1, 64),
    'half of the processors, at most 8',
  ),
  SVC_FEATURES: variable(
    `The features that are on: all, or names of ${OPTIONAL_FEATURES.join(', ')}; -name turns one off`,
    features,
    'all',
  ),
  SVC_DRAIN_SECONDS: variable(
    'Seconds that a stopping server answers requests while /api/ready returns 503',
    integer(0, 300),
    '0',
  ),
  SVC_DATABASE_URL: variable(
    'URL of PostgreSQL 15 or later',
    url('postgres', 'postgresql'),
    'embedded',
    'DATABASE_URL',
  ),
  SVC_DATABASE_READ_URL: variable(
    'URL of a streaming replica of that PostgreSQL, for reads',
    url('postgres', 'postgresql'),
  ),
  SVC_DATA_DIR: variable(
    'Directory of the embedded database, secrets, files and emails',
    path,
    './data',
  ),
  SVC_BASE_URL: variable('The public URL of the server', publicUrl, 'http://localhost:PORT'),
  SVC_FRONTEND_ORIGINS: variable(
    'Origins of web apps: CORS with cookies, OAuth return, handoff',
    listOf(origin),
  ),
  SVC_COOKIE_DOMAIN: variable('Domain attribute of the session cookie', domain),
  SVC_AUTH_SECRET: variable(
    'Secret that signs tokens; the same for every replica',
    secret,
    'generated, stored in the data directory',
  ),
  SVC_AUTH_SECRET_PREVIOUS: variable(
    'The earlier secret during a rotation: accepted, and not used for anything new',
    secret,
  ),
  SVC_SMTP_URL: setting(
    'mail',
    variable('SMTP server for emails', url('smtp', 'smtps'), '.eml files in the outbox'),
  ),
  SVC_MAIL_FROM: setting('mail', variable('Sender of emails', sender, 'svc <svc@localhost>')),
  SVC_METRICS_TOKEN: variable('Bearer token for /metrics; enables it', secret),
  SVC_ADMIN_EMAILS: variable('Email addresses of admins', listOf(email)),
  SVC_TRUSTED_PROXIES: variable(
    'Proxies whose X-Forwarded-For, Forwarded and traceparent are trusted (CIDR)',
    listOf(cidr),
  ),
  SVC_TRUSTED_EXPORT_KEYS: variable(
    'Public keys of other servers, whose signed exports keep their trust at an import',
    listOf(exportKey),
  ),
  SVC_FORWARDED_HEADER: variable(
    'The header in which these proxies name the client',
    oneOf(...FORWARDED_HEADERS),
    'x-forwarded-for, or forwarded without it',
  ),
  SVC_RATE_LIMIT_STORE: variable(
    'Where rate limits are counted: memory, or postgres, which several processes use',
    oneOf('memory', 'postgres'),
    'memory for one process',
  ),
  ...oauthVariables,
  SVC_OPENROUTER_API_KEY: setting(
    'models',
    variable('API key of OpenRouter; enables chat through it', text),
    { isSecret: true },
  ),
  SVC_OPENROUTER_BASE_URL: variable('Base URL of OpenRouter', secureUrl, OPENROUTER_URL),
  SVC_OPENROUTER_MODEL: setting(
    'models',
    variable('Model at OpenRouter', text, `SVC_CHAT_MODEL, or ${OPENROUTER_MODEL}`),
  ),
  SVC_OPENAI_BASE_URL: setting(
    'models',
    variable(
      'Base URL of an OpenAI-compatible server; enables chat through it',
      webUrl,
      `${OPENAI_URL} if SVC_OPENAI_API_KEY is set`,
    ),
    { secretSentTo: 'SVC_OPENAI_API_KEY' },
  ),
  SVC_OPENAI_API_KEY: setting(
    'models',
    variable('API key of that server or, without a base URL, of OpenAI', text),
    { isSecret: true },
  ),
  SVC_OPENAI_MODEL: setting('models', variable('Model at that server', text, 'SVC_CHAT_MODEL')),
  SVC_OLLAMA_URL: setting('models', variable('URL of Ollama; enables chat through it', webUrl)),
  SVC_OLLAMA_MODEL: setting('models', variable('Model at Ollama', text, 'SVC_CHAT_MODEL')),
  SVC_ANTHROPIC_API_KEY: setting(
    'models',
    variable('API key of Anthropic, for programs that use its API through svc', text),
    { isSecret: true },
  ),
  SVC_ANTHROPIC_BASE_URL: setting(
    'models',
    variable(
      'Base URL of Anthropic’s API or a compatible server, without /v1',
      webUrl,
      `${ANTHROPIC_URL} if SVC_ANTHROPIC_API_KEY is set`,
    ),
    { secretSentTo: 'SVC_ANTHROPIC_API_KEY' },
  ),
  SVC_CHAT_MODEL: setting(
    'models',
    variable('Model of each provider whose own model variable is not set', text),
  ),
  SVC_CHAT_CONTEXT_TOKENS: setting(
    'models',
    variable(
      'Most tokens of a prompt and its completion together',
      integer(1_024, 10_000_000),
      '32768',
    ),
  ),
  SVC_CHAT_FALLBACK: setting(
    'models',
    variable(
      'Fallback when no provider answers: local (needs no model) or none',
      oneOf('local', 'none'),
      'local',
    ),
  ),
  SVC_INDEX_MB: variable(
    'Memory of a server for the indexes of users, in MiB; those used longest ago leave first',
    integer(0, 1_000_000),
    'a tenth of the memory',
  ),
  SVC_ACTIVITY_DAYS: setting(
    'server',
    variable(
      'Days that the activity of assistants is kept for their users; 0 records none',
      integer(0, 3_650),
      '30',
    ),
  ),
  SVC_ACTIVITY_QUESTIONS: setting(
    'server',
    variable(
      'Whether activity keeps the questions of recalls for the user who asked: on or off',
      oneOf('on', 'off'),
      'on',
    ),
  ),
  SVC_EMBEDDING: variable(
    'Encoder of meaning: off, or onnx: and the name of an installed model or a directory',
    encoderModel,
    'built-in MiniLM',
  ),
  SVC_MODELS_URL: variable(
    'Hub that svc models install downloads from',
    webUrl,
    MODELS_URL,
    'HF_ENDPOINT',
  ),
  SVC_EMBEDDING_URL: variable('URL of an OpenAI-compatible embedding endpoint', webUrl),
  SVC_EMBEDDING_MODEL: variable('Model of the embedding endpoint', text),
  SVC_EMBEDDING_API_KEY: variable('API key of the embedding endpoint', text),
  SVC_EMBEDDING_DIMENSIONS: variable('Dimensions of the embedding vectors', integer(1, 16_000)),
  SVC_TRANSCRIBE_URL: setting(
    'transcription',
    variable('URL of an OpenAI-compatible transcription endpoint', webUrl),
    { secretSentTo: 'SVC_TRANSCRIBE_API_KEY' },
  ),
  SVC_TRANSCRIBE_MODEL: setting(
    'transcription',
    variable('Model of the transcription endpoint', text, 'whisper-1'),
  ),
  SVC_TRANSCRIBE_API_KEY: setting(
    'transcription',
    variable('API key of the transcription endpoint', text),
    { isSecret: true },
  ),
  SVC_STRIPE_SECRET_KEY: variable('Secret key of Stripe; enables billing', text),
  SVC_STRIPE_WEBHOOK_SECRET: variable('Signing secret of Stripe webhooks', text),
  SVC_STRIPE_API_BASE: variable('Overrides the URL of the Stripe API', secureUrl),
  SVC_TIERS: variable('Path of a JSON file that overrides the tiers', path, 'built in'),
  SVC_SIGNUP: setting(
    'server',
    variable(
      'Who can create an account: open (anyone), invite (invited addresses and those at SVC_SIGNUP_DOMAINS) or closed',
      oneOf(...SIGN_UP_MODES),
      'open',
    ),
  ),
  SVC_SIGNUP_DOMAINS: setting(
    'server',
    variable(
      'Domains, separated by commas, at which people who are not invited need an address',
      listOf(mailDomain),
      'any domain',
    ),
  ),
  SVC_DEFAULT_TIER: setting(
    'server',
    variable('The tier of new accounts', oneOf(...TIER_NAMES), DEFAULT_TIER),
  ),
  SVC_S3_BUCKET: variable('S3 bucket for uploads', text, 'the data directory'),
  SVC_S3_ENDPOINT: variable('URL of an S3-compatible service other than Amazon S3', webUrl),
  SVC_S3_REGION: variable('Region of the bucket', text),
  SVC_S3_ACCESS_KEY_ID: variable('Access key id for the bucket', text),
  SVC_S3_SECRET_ACCESS_KEY: variable('Secret access key for the bucket', text),
  SVC_BACKUP_DIR: setting(
    'backup',
    variable(
      'Directory of the backups that svc makes while it runs',
      path,
      'backups in SVC_DATA_DIR',
    ),
    { parse: absolutePath },
  ),
  SVC_BACKUP_SCHEDULE: setting(
    'backup',
    variable(
      'When svc makes a backup by itself: a cron expression of five fields, in UTC',
      cron,
      'never',
    ),
  ),
  SVC_BACKUP_KEEP: setting(
    'backup',
    variable('Number of the latest scheduled backups that are kept', integer(1, 1_000), '7'),
  ),
  SVC_BACKUP_PASSPHRASE: setting(
    'backup',
    variable(
      'Passphrase that encrypts the backups, of at least 12 characters',
      passphrase,
      'not encrypted',
    ),
    { isSecret: true, isMemorized: true },
  ),
  SVC_REDACT: setting(
    'server',
    variable(
      'Where keys, tokens and passwords in the text of memories are replaced: off, hooks (captured conversations) or on (all writes)',
      oneOf('off', 'hooks', 'on'),
      'hooks',
    ),
  ),
  SVC_LOG_LEVEL: setting(
    'server',
    variable(
      'Lowest logged level: trace, debug, info, warn, error, fatal or silent',
      oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      'info',
    ),
  ),
} as const

type Variables = typeof variables
export type Values = { [K in keyof Variables]?: ReturnType<Variables[K]['parse']> }
