import { sealedSigningKeys } from './account/access/signing-keys/table.ts'
import { sealedMfaSecrets } from './account/sign-in/mfa/table.ts'
import { sealedIdTokens } from './account/sign-in/oauth/table.ts'
import { sealedEventSecrets } from './account/users/events/table.ts'
import { sealedWebhookSecrets } from './automation/firings/table.ts'
import { defineRetention } from './platform/retention.ts'
import { resealColumns, type SealedColumn } from './platform/sealed-columns/service.ts'
import { hasOtherSecret } from './platform/secrets/auth-secret.ts'
import type { AuthSecrets } from './platform/secrets/derived-keys.ts'
import { sealedSettings } from './platform/settings/table.ts'

/** Every column that is encrypted with the auth secret. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedMfaSecrets,
  sealedIdTokens,
  sealedWebhookSecrets,
  sealedEventSecrets,
  sealedSigningKeys,
  sealedSettings,
]

/**
 * Another process may encrypt with the previous secret after the start of this one. A process whose secret was
 * replaced meanwhile leaves it to the others.
 */
export const resealing = (secrets: AuthSecrets) =>
  defineRetention({
    name: 'sealed_columns',
    async run({ query }) {
      if (await hasOtherSecret(query, secrets.current)) return
      await resealColumns(query, secrets, sealedColumns)
    },
  })
