import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../../../platform/db/database.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { findClient } from './client-store.ts'
import { isRegisteredId } from './clients.ts'
import { OAuthError } from './errors.ts'
import type { TokenForm } from './forms.ts'
import type { OAuthClientRow } from './table.ts'

/**
 * Checks the secret of a client that has one (RFC 6749, section 2.3.1).
 * @returns undefined for the id of a metadata document.
 * @throws OAuthError 401 for a missing or wrong secret, and for a client that was deleted: a code that was issued at that
 * moment needs its secret too.
 */
export const authenticateClient = async (
  db: Db,
  { client_id = '', client_secret }: TokenForm,
): Promise<OAuthClientRow | undefined> => {
  if (!isRegisteredId(client_id)) return undefined
  const row = await findClient(db, client_id)
  if (!row) throw invalidClient('The client is unknown')
  if (row.secretHash && !isSecret(client_secret, row.secretHash))
    throw invalidClient('The client secret is missing or wrong')
  return row
}

/** @throws OAuthError 401 for a client without a secret, too. */
export const authenticateConfidential = async (
  db: Db,
  form: TokenForm,
): Promise<OAuthClientRow> => {
  const row = await authenticateClient(db, form)
  if (!row?.secretHash) throw invalidClient('A client with a secret is required')
  return row
}

const isSecret = (secret: string | undefined, secretHash: string): boolean =>
  secret !== undefined && timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(secretHash))

export const invalidClient = (description: string) =>
  new OAuthError('invalid_client', description, 401, { 'www-authenticate': 'Basic realm="svc"' })
