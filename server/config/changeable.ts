import { join, resolve } from 'node:path'
import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import { DEFAULT_TIER, type TierName } from '../../shared/tiers.ts'
import type { RecordingSettings } from '../account/activity/service.ts'
import type { OAuthProviderSettings } from '../account/sign-in/oauth/providers/provider.ts'
import type { SignUpSettings } from '../account/sign-in/sign-up-policy.ts'
import type { TranscribeSettings } from '../conversation/transcribe/client.ts'
import type { RedactMode } from '../memory/memories/redaction.ts'
import type { AnthropicSettings } from '../platform/models/language-model.ts'
import type { ModelSettings } from '../platform/models/models.ts'
import type { BackupSettings } from '../system/backup/settings.ts'
import {
  anthropicOf,
  chatMistakes,
  chatOf,
  embeddingMistakes,
  oauthMistakes,
  oauthOf,
  processMistakes,
  roleMistakes,
  transcribeOf,
} from './settings.ts'
import type { Values } from './variables.ts'

/** The parts of the configuration that settings of an admin can change while the server runs. */
export interface ChangeableConfig {
  /** Undefined: emails are written to the outbox directory. */
  smtpUrl: string | undefined
  mailFrom: string
  /** The OAuth providers that users can sign in with. */
  oauth: Record<OAuthProvider, OAuthProviderSettings | undefined>
  /** The model providers of conversations. */
  chat: ModelSettings
  activity: RecordingSettings
  transcribe: TranscribeSettings | undefined
  /** Undefined: the Anthropic API is not served. */
  anthropic: AnthropicSettings | undefined
  signUp: SignUpSettings
  defaultTier: TierName
  /** Which writes of memories are redacted. */
  redact: RedactMode
  backup: BackupSettings
  logLevel: string
}

const DEFAULT_ACTIVITY_DAYS = 30
const DEFAULT_BACKUPS = 7

export const changeableOf = (values: Values): ChangeableConfig => ({
  smtpUrl: values.SVC_SMTP_URL,
  mailFrom: values.SVC_MAIL_FROM ?? 'svc <svc@localhost>',
  oauth: oauthOf(values),
  chat: chatOf(values),
  activity: {
    days: values.SVC_ACTIVITY_DAYS ?? DEFAULT_ACTIVITY_DAYS,
    keepsQuestions: values.SVC_ACTIVITY_QUESTIONS !== 'off',
    redacts: values.SVC_REDACT !== 'off',
  },
  transcribe: transcribeOf(values),
  anthropic: anthropicOf(values),
  signUp: { mode: values.SVC_SIGNUP ?? 'open', domains: values.SVC_SIGNUP_DOMAINS ?? [] },
  defaultTier: values.SVC_DEFAULT_TIER ?? DEFAULT_TIER,
  redact: values.SVC_REDACT ?? 'hooks',
  backup: {
    directory: values.SVC_BACKUP_DIR ?? join(values.SVC_DATA_DIR ?? resolve('data'), 'backups'),
    schedule: values.SVC_BACKUP_SCHEDULE,
    keep: values.SVC_BACKUP_KEEP ?? DEFAULT_BACKUPS,
    passphrase: values.SVC_BACKUP_PASSPHRASE,
  },
  logLevel: values.SVC_LOG_LEVEL ?? 'info',
})

/** The mistakes that values make together. */
export const mistakesOf = (values: Values): string[] => {
  const mistakes: string[] = []
  if (values.SVC_RATE_LIMIT_STORE === 'postgres' && !values.SVC_DATABASE_URL)
    mistakes.push('SVC_RATE_LIMIT_STORE=postgres requires SVC_DATABASE_URL')
  if (values.SVC_DATABASE_READ_URL && !values.SVC_DATABASE_URL)
    mistakes.push('SVC_DATABASE_READ_URL requires SVC_DATABASE_URL')
  if (!values.SVC_S3_BUCKET && Object.keys(values).some((name) => name.startsWith('SVC_S3_')))
    mistakes.push('SVC_S3_* requires SVC_S3_BUCKET')
  if (values.SVC_AUTH_SECRET_PREVIOUS && !values.SVC_AUTH_SECRET)
    mistakes.push('SVC_AUTH_SECRET_PREVIOUS requires SVC_AUTH_SECRET')
  mistakes.push(...roleMistakes(values), ...processMistakes(values))
  mistakes.push(...oauthMistakes(values), ...chatMistakes(values), ...embeddingMistakes(values))
  if (!values.SVC_TRANSCRIBE_URL && (values.SVC_TRANSCRIBE_MODEL || values.SVC_TRANSCRIBE_API_KEY))
    mistakes.push('SVC_TRANSCRIBE_* requires SVC_TRANSCRIBE_URL')
  return mistakes
}
