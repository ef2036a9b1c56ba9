import { errorText } from '../../../shared/errors.ts'
import type { ApiKey, CreatedKey, CreateKey } from '../../../shared/schemas/keys.ts'
import { actingIn, orgIdOf } from '../../people/orgs/acting.ts'
import { holdMembership } from '../../people/orgs/membership.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import { recordAudit } from '../audit/store.ts'
import type { IsAdmin } from '../users/admin.ts'
import { presentCurrentUser } from '../users/present.ts'
import {
  deleteKey,
  deleteKeys,
  deleteKeysIn,
  deleteLongExpiredKeys,
  findKey,
  findKeyByHash,
  insertKey,
  listKeys,
  touchKey,
} from './store.ts'
import { type ApiKeyRow, apiKeys } from './table.ts'
import { createApiKey, hashSecret, isWellFormedKey, keyPrefix } from './token.ts'

/** They are listed all at once. */
const CAP: Cap = { table: apiKeys, most: 100, name: 'API keys' }

export type KeyService = ReturnType<typeof createKeyService>

export const createKeyService = (database: Database, settings: { isAdmin: IsAdmin }) => {
  const { db } = database

  /**
   * Makes a key inside a transaction of the caller's. The plaintext is returned and not kept.
   * @throws ApiError 403 for an organization that the user is not in, 409 for one too many.
   */
  const issue = async (
    tx: Db,
    key: { userId: string; name: string; orgId?: string | null; expiresAt?: Date | null },
  ): Promise<CreatedKey> => {
    if (key.orgId) await holdMembership(tx, key.userId, key.orgId)
    await deleteLongExpiredKeys(tx, key.userId)
    await checkRoom(tx, key.userId, CAP)
    const plaintext = createApiKey()
    const row = await insertKey(tx, {
      id: Bun.randomUUIDv7(),
      userId: key.userId,
      orgId: key.orgId ?? null,
      name: key.name,
      prefix: keyPrefix(plaintext),
      hash: hashSecret(plaintext),
      expiresAt: key.expiresAt ?? null,
    })
    await recordAudit(tx, { userId: key.userId, action: 'key.created', subject: row.id })
    return { ...present(row), key: plaintext }
  }

  return {
    issue,

    /** @throws ApiError as `issue`, and 422 for an end in the past. */
    create(caller: Caller, body: CreateKey): Promise<CreatedKey> {
      const expiresAt = body.expires_at ? parseInstant(body.expires_at) : null
      if (expiresAt && expiresAt.getTime() <= Date.now())
        throw new ApiError(422, [
          {
            loc: ['body', 'expires_at'],
            type: 'datetime_future',
            msg: 'Input should be in the future',
          },
        ])
      return db.transaction((tx) =>
        issue(tx, {
          userId: caller.userId,
          name: body.name,
          orgId: body.org_id ?? null,
          expiresAt: expiresAt ?? null,
        }),
      )
    },

    async list(caller: Caller): Promise<ApiKey[]> {
      return (await listKeys(db, caller.userId)).map(present)
    },

    /** @throws ApiError 404 for no such key, 403 for somebody else's, or when a key asks for another. */
    async revoke(caller: Caller, keyId: string): Promise<void> {
      const key = await findKey(db, keyId)
      if (caller.keyId && caller.keyId !== keyId.toLowerCase())
        throw new ApiError(403, 'An API key can revoke only itself; sign in to manage keys')
      if (!key) throw notFound()
      if (key.userId !== caller.userId)
        throw new ApiError(403, 'This API key belongs to another user')
      await db.transaction(async (tx) => {
        if (!(await deleteKey(tx, keyId))) throw notFound()
        await recordAudit(tx, { userId: caller.userId, action: 'key.revoked', subject: keyId })
      })
    },

    /** Revokes every key of a person. */
    revokeAll: (tx: Db, userId: string): Promise<void> => deleteKeys(tx, userId),

    /** Revokes a person's keys of an organization. */
    revokeIn: (tx: Db, orgId: string, userId: string): Promise<void> =>
      deleteKeysIn(tx, orgId, userId),

    /**
     * A key of an organization acts in that one whatever the request names; any other acts for the
     * person, unless the request names one.
     * @throws ApiError 401 for a key that is misspelt, unknown, revoked or expired, 403 for an
     * organization the person is not in.
     */
    async authenticate(key: string, named: string | null): Promise<Caller> {
      const found = isWellFormedKey(key)
        ? await findKeyByHash(database, hashSecret(key), orgIdOf(named))
        : undefined
      if (!found) throw new ApiError(401, errorText.invalidKey)
      if (found.isStale) await touchKey(db, found.keyId)
      const { ownerId, org } = actingIn(found.user.id, found.acting, found.orgId ? null : named)
      return {
        userId: found.user.id,
        ownerId,
        sessionId: null,
        keyId: found.keyId,
        isForOrg: found.orgId !== null,
        timezone: found.user.timezone,
        me: {
          ...presentCurrentUser(found.user, settings.isAdmin),
          tier: found.user.tier,
          credential: 'api_key',
          org,
        },
      }
    },
  }
}

const notFound = () => new ApiError(404, 'API key not found')

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  key_prefix: row.prefix,
  org_id: row.orgId,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
})
