import type {
  CreatedClient,
  CreateManagedClient,
  ManagedClient,
  UpdateManagedClient,
} from '../../../../shared/contract/oauth-clients.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { lockClassExclusive } from '../../../platform/db/locks.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { type AuditAction, recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import {
  countManagedClients,
  deleteManagedClient,
  insertClient,
  listManagedClients,
  lockManagedClient,
  narrowGrants,
  updateManagedClient,
} from './client-store.ts'
import { isRedirectUri } from './redirects.ts'
import { revokeClient } from './store.ts'
import type { OAuthClientRow } from './table.ts'

const MAX_CLIENTS = 1_000

const RETURNS = ['redirect_uris', 'post_logout_redirect_uris'] as const
type UriField = (typeof RETURNS)[number] | 'backchannel_logout_uri'

const clientError = defineErrors({
  client_uri_not_allowed: (field: UriField, uri: string) => ({
    status: 422,
    detail: [
      {
        loc: ['body', field],
        type: 'value_error',
        msg: `This URI is not allowed: ${uri}. Use https, http on a loopback address, or a reversed domain name such as com.example.app:, without user, password and fragment`,
      },
    ],
  }),
  client_not_found: { status: 404, detail: 'App not found' },
  client_is_public: { status: 409, detail: 'The app has no secret' },
  too_many_clients: { status: 409, detail: 'There are 1,000 apps; delete one first' },
})

/** The admin who changes a client. */
interface Actor {
  userId: string
  ip: string
}

/** OAuth clients that an admin registers. */
export type ManagedClients = ReturnType<typeof createManagedClients>

export const createManagedClients = ({ db }: Database) => ({
  list: async (): Promise<ManagedClient[]> => (await listManagedClients(db)).map(present),

  /** @throws ApiError 422 for a URI that is not allowed, 409 for too many clients. */
  async create(
    actor: Actor,
    { confidential, ...fields }: CreateManagedClient,
  ): Promise<CreatedClient> {
    const columns = columnsOf(fields)
    const secret = confidential ? createSecret() : undefined
    const row = await db.transaction(async (tx) => {
      await lockClassExclusive(tx, 'managed_clients')
      if ((await countManagedClients(tx)) >= MAX_CLIENTS) throw clientError('too_many_clients')
      const inserted = await insertClient(tx, {
        id: Bun.randomUUIDv7(),
        isManaged: true,
        name: fields.name,
        redirectUris: fields.redirect_uris,
        ...columns,
        secretHash: secret === undefined ? null : hashSecret(secret),
      })
      await record(tx, actor, 'managed_client.created', inserted)
      return inserted
    })
    return { ...present(row), ...(secret !== undefined && { client_secret: secret }) }
  },

  /** @throws ApiError 422 for a URI that is not allowed, 404 for no such client. */
  async update(actor: Actor, id: string, change: UpdateManagedClient): Promise<ManagedClient> {
    const columns = columnsOf(change)
    return db.transaction(async (tx) => {
      const row = await lock(tx, actor, id)
      if (Object.keys(columns).length === 0) return present(row)
      const updated = (await updateManagedClient(tx, id, columns)) ?? row
      if (change.scopes) await narrowGrants(tx, id, change.scopes)
      await record(tx, actor, 'managed_client.changed', updated)
      return present(updated)
    })
  },

  /** Ends all tokens of the client. @throws ApiError 404 for no such client. */
  async delete(actor: Actor, id: string): Promise<void> {
    await db.transaction(async (tx) => {
      const row = await lock(tx, actor, id)
      await revokeClient(tx, id)
      await deleteManagedClient(tx, id)
      await record(tx, actor, 'managed_client.deleted', row)
    })
  },

  /** @throws ApiError 404 for no such client, 409 for one without a secret. */
  async rotateSecret(actor: Actor, id: string): Promise<string> {
    const secret = createSecret()
    await db.transaction(async (tx) => {
      const row = await lock(tx, actor, id)
      if (!row.secretHash) throw clientError('client_is_public')
      await updateManagedClient(tx, id, { secretHash: hashSecret(secret) })
      await record(tx, actor, 'managed_client.secret_rotated', row)
    })
    return secret
  },
})

/** The entry of the audit log locks the admin, so the admin is locked before the client. */
const lock = async (tx: Db, { userId }: Actor, id: string): Promise<OAuthClientRow> => {
  await lockUserShared(tx, userId)
  const row = await lockManagedClient(tx, id)
  if (!row) throw clientError('client_not_found')
  return row
}

/** @throws ApiError 422 for a URI that is not allowed. */
const columnsOf = (fields: UpdateManagedClient) => {
  const { name, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri } = fields
  const { scopes, skips_consent } = fields
  for (const field of RETURNS) {
    const bad = fields[field]?.find((uri) => !isRedirectUri(uri))
    if (bad !== undefined) throw clientError('client_uri_not_allowed', field, bad)
  }
  if (backchannel_logout_uri && !isLogoutUri(backchannel_logout_uri))
    throw clientError('client_uri_not_allowed', 'backchannel_logout_uri', backchannel_logout_uri)
  return {
    ...(name !== undefined && { name: name.replace(/\s+/g, ' ') }),
    ...(redirect_uris && { redirectUris: redirect_uris }),
    ...(post_logout_redirect_uris && { postLogoutRedirectUris: post_logout_redirect_uris }),
    ...(backchannel_logout_uri !== undefined && { backchannelLogoutUri: backchannel_logout_uri }),
    ...(scopes && { allowedScopes: scopes }),
    ...(skips_consent !== undefined && { skipsConsent: skips_consent }),
  }
}

const isLogoutUri = (uri: string): boolean =>
  isRedirectUri(uri) && /^https?:$/.test(new URL(uri).protocol)

const record = (
  tx: Db,
  { userId, ip }: Actor,
  action: AuditAction,
  { id, name }: OAuthClientRow,
): Promise<void> => recordAudit(tx, { userId, ip, action, subject: id, details: { name } })

const present = (row: OAuthClientRow): ManagedClient => ({
  client_id: row.id,
  name: row.name,
  redirect_uris: row.redirectUris,
  post_logout_redirect_uris: row.postLogoutRedirectUris,
  backchannel_logout_uri: row.backchannelLogoutUri,
  scopes: row.allowedScopes,
  skips_consent: row.skipsConsent,
  confidential: row.secretHash !== null,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
})
