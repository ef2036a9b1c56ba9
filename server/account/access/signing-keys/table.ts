import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant, jsonValue } from '../../../platform/db/columns.ts'
import type { SealedColumn } from '../../../platform/sealed-columns/service.ts'

/** The key pairs that sign access tokens (ES256). */
export const signingKeys = pgTable('signing_keys', {
  /** The thumbprint of the public key (RFC 7638). */
  kid: text().primaryKey(),
  publicJwk: jsonValue('public_jwk').notNull(),
  /** The private JWK, encrypted with the auth secret; null once the key does not sign any more. */
  sealedPrivateKey: text('sealed_private_key'),
  publishedAt: instant('published_at').notNull(),
  signsFrom: instant('signs_from').notNull(),
  /** Null for the newest key. */
  signsUntil: instant('signs_until'),
  /** When the last token of the key has expired; null for the newest key. */
  verifiesUntil: instant('verifies_until'),
})

/** For `resealColumns`. */
export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'sealed_private_key',
  purpose: 'svc:signing-key',
  keys: 'text',
  owner: 'kid',
  id: 'kid',
}
