import type { AdminConfiguration, ConfiguredPart } from '../../../shared/contract/operations.ts'

export type ConfigurationService = ReturnType<typeof createConfigurationService>

/** Undefined is not configured. */
interface Settings {
  smtpUrl: unknown
  chat: { providers: readonly { name: string }[] }
  embedding: unknown
  transcribe: unknown
  oauth: Record<string, unknown>
  stripe: { secretKey: unknown }
  s3: unknown
  databaseUrl: unknown
}

/** Names what is configured. Values may be secrets, so none is returned. */
export const createConfigurationService = (config: Settings) => {
  const part = (
    name: ConfiguredPart['part'],
    value: unknown,
    providers: string[] = [],
  ): ConfiguredPart => ({ part: name, configured: Boolean(value), providers })
  const models = config.chat.providers.map(({ name }) => name)
  const oauth = Object.entries(config.oauth).flatMap(([name, settings]) => (settings ? [name] : []))
  const parts = [
    part('mail', config.smtpUrl),
    part('models', models.length, models),
    part('embedding', config.embedding),
    part('transcription', config.transcribe),
    part('oauth', oauth.length, oauth),
    part('stripe', config.stripe.secretKey),
    part('s3', config.s3),
    part('postgres', config.databaseUrl),
  ]
  return { read: (): AdminConfiguration => ({ parts }) }
}
