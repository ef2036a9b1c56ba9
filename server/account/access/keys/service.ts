import { parseInstant } from '../../../../shared/contract/common.ts'
import {
  createKey,
  delegateKey,
  listKeys,
  revokeKey,
  updateKey,
} from '../../../../shared/contract/index.ts'
import type {
  ApiKey,
  CreatedKey,
  CreateKey,
  DelegateKey,
  UpdateKey,
} from '../../../../shared/contract/keys.ts'
import { isWithinScopes, type Scope } from '../../../../shared/contract/scopes.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { isAddressRange } from '../../../platform/http/address.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { lockMembership } from '../../organizations/membership.ts'
import { checkOrgPolicies } from '../../organizations/policies/check.ts'
import { scopesWithin } from '../../organizations/policies/key-scopes.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import type { IsAdmin } from '../../users/user.ts'
import { limitsOf } from '../caller.ts'
import { createKeyAuthentication } from './authentication.ts'
import { limitChildren } from './children.ts'
import { keyError } from './errors.ts'
import {
  deleteKey,
  deleteKeys,
  deleteOldKeys,
  findKey,
  findKeys,
  insertKey,
  lockKeyOf,
  updateKeyRow,
} from './store.ts'
import { type ApiKeyRow, apiKeys } from './table.ts'
import { createApiKey, keyPrefix } from './token.ts'

/** The list of API keys has no pages. */
const ROW_LIMIT: RowLimit = { table: apiKeys, max: 100, name: 'API keys' }

export type KeyService = ReturnType<typeof createKeyService>

export const createKeyService = (database: Database, isAdmin: IsAdmin) => {
  const { db } = database

  return {
    ...createKeyAuthentication(database, isAdmin),

    /**
     * Creates a key. The plaintext is returned and not stored.
     * @throws ApiError 403 for an organization that the user is not a member of, 409 for too many keys.
     */
    issue: issueKey,

    /** @throws ApiError as `issue` does, and 422 for an expiry in the past. */
    create(caller: Caller, body: CreateKey): Promise<CreatedKey> {
      const expiresAt = body.expires_at ? (parseInstant(body.expires_at) ?? null) : null
      if (expiresAt && expiresAt.getTime() <= Date.now()) throw keyError('api_key_expiry_in_past')
      const orgId = body.org_id ?? null
      return db.transaction(async (tx) => {
        if (orgId) await checkOrgPolicies(tx, caller, orgId)
        return issueKey(tx, {
          userId: caller.userId,
          name: body.name,
          orgId,
          expiresAt,
          scopes: body.scopes ?? null,
          allowedAddresses: readAddresses(body.allowed_addresses),
        })
      })
    },

    /**
     * Creates a key for an agent, which ends with the key of the caller.
     * @throws ApiError 403 for scopes that the caller does not have; otherwise as `create`.
     */
    delegate(caller: Caller, body: DelegateKey): Promise<CreatedKey> {
      const { userId, keyId } = caller
      return db.transaction(async (tx) => {
        await lockUserShared(tx, userId)
        const parent = keyId ? await lockKeyOf(tx, userId, keyId) : undefined
        if (keyId && !parent) throw keyError('api_key_not_found')
        if (parent?.pausedAt) throw commonError('credential_paused')
        const key = keyOfAgent(caller, parent, body)
        if (key.orgId) await checkOrgPolicies(tx, caller, key.orgId)
        return issueKey(tx, key)
      })
    },

    /**
     * Keys that it created are limited, paused and resumed with it.
     * @throws ApiError 404 for no such key of the caller, 403 for scopes that its parent does not
     * have, 409 to resume a key whose parent is paused.
     */
    update(caller: Caller, keyId: string, update: UpdateKey): Promise<ApiKey> {
      const addresses = readAddresses(update.allowed_addresses)
      return db.transaction(async (tx) => {
        await lockUserShared(tx, caller.userId)
        const key = await lockKeyOf(tx, caller.userId, keyId)
        if (!key) throw keyError('api_key_not_found')
        const parent = key.parentId ? await findKey(tx, key.parentId) : undefined
        if (parent) checkChild(update, parent)
        const change = changeOf(update, addresses, key)
        const row = Object.keys(change).length ? await updateKeyRow(tx, keyId, change) : key
        if (!row) throw keyError('api_key_not_found')
        await limitChildren(tx, row, { isPause: update.paused !== undefined })
        await recordAudit(tx, {
          userId: caller.userId,
          action: 'key.changed',
          subject: keyId,
          orgId: row.orgId,
          details: detailsOf(row),
        })
        return present(row)
      })
    },

    async list(caller: Caller): Promise<ApiKey[]> {
      return (await findKeys(db, caller.userId)).map(present)
    },

    /**
     * @throws ApiError 403 for a key of another user, or for an API key that revokes another key; 404 for
     * no such key.
     */
    async revoke(caller: Caller, keyId: string): Promise<void> {
      const key = await findKey(db, keyId)
      if (caller.keyId && caller.keyId !== keyId.toLowerCase())
        throw keyError('api_key_revokes_only_itself')
      if (!key) throw keyError('api_key_not_found')
      if (key.userId !== caller.userId) throw keyError('api_key_of_another_user')
      await db.transaction(async (tx) => {
        await lockUserShared(tx, caller.userId)
        if (!(await deleteKey(tx, keyId))) throw keyError('api_key_not_found')
        await recordAudit(tx, {
          userId: caller.userId,
          action: 'key.revoked',
          subject: keyId,
          orgId: key.orgId,
          details: { name: key.name },
        })
      })
    },

    /** Revokes all keys of a user. */
    revokeAll: (tx: Db, userId: string): Promise<void> => deleteKeys(tx, userId),

    /** When a key ends; null: never, or already. */
    expiresAt: async (keyId: string): Promise<Date | null> =>
      (await findKey(db, keyId))?.expiresAt ?? null,
  }
}

/** @throws ApiError 403 for scopes that the caller does not have. */
const keyOfAgent = (
  caller: Caller,
  parent: ApiKeyRow | undefined,
  { name, scopes: asked, ttl_seconds }: DelegateKey,
) => {
  const own = parent ? parent.scopes : (caller.scopes ?? null)
  const scopes = asked ?? own
  if (!isWithinScopes(scopes, own)) throw keyError('api_key_scopes_too_wide')
  const end = Date.now() + ttl_seconds * 1000
  return {
    userId: caller.userId,
    name,
    scopes,
    orgId: parent ? parent.orgId : caller.isForOrg ? caller.ownerId : null,
    expiresAt: new Date(Math.min(end, parent?.expiresAt?.getTime() ?? end)),
    ...(parent && { parent, allowedAddresses: parent.allowedAddresses }),
  }
}

/** @throws ApiError 403, 409 for a change that the parent of a key does not allow. */
const checkChild = (
  { scopes, paused, allowed_addresses }: UpdateKey,
  parent: Pick<ApiKeyRow, 'scopes' | 'pausedAt'>,
): void => {
  if (paused === false && parent.pausedAt) throw keyError('api_key_parent_paused')
  if (scopes !== undefined && !isWithinScopes(scopes, parent.scopes))
    throw keyError('api_key_scopes_too_wide')
  if (allowed_addresses !== undefined) throw keyError('api_key_addresses_of_parent')
}

/** The columns that an update changes. */
const changeOf = (
  { name, scopes, paused, allowed_addresses }: UpdateKey,
  allowedAddresses: string[] | null,
  { pausedAt }: Pick<ApiKeyRow, 'pausedAt'>,
) => ({
  ...(name !== undefined && { name }),
  ...(scopes !== undefined && { scopes }),
  ...(allowed_addresses !== undefined && { allowedAddresses }),
  ...(paused !== undefined && { pausedAt: paused ? (pausedAt ?? new Date()) : null }),
})

/** Both names are in the audit log where a key created another. */
const detailsOf = (key: ApiKeyRow, parent?: ApiKeyRow): Record<string, string | boolean> => ({
  name: key.name,
  ...(parent && { created_by: parent.name }),
  ...(key.scopes && { scopes: key.scopes.join(' ') }),
  ...(key.allowedAddresses && { addresses: key.allowedAddresses.join(' ') }),
  ...(key.pausedAt && { paused: true }),
})

/** @throws ApiError 422 for a text that is no address and no range. */
const readAddresses = (ranges: string[] | null | undefined): string[] | null => {
  const invalid = ranges?.findIndex((range) => !isAddressRange(range)) ?? -1
  if (invalid >= 0) throw keyError('api_key_address_invalid', invalid)
  return ranges ?? null
}

interface NewKey {
  userId: string
  name: string
  orgId?: string | null
  expiresAt?: Date | null
  /** Null: all. */
  scopes?: Scope[] | null
  /** Null: all. */
  allowedAddresses?: string[] | null
  parent?: ApiKeyRow
}

const issueKey = async (tx: Db, key: NewKey): Promise<CreatedKey> => {
  if (key.orgId) await lockMembership(tx, key.userId, key.orgId)
  else await lockUserShared(tx, key.userId)
  await deleteOldKeys(tx, key.userId)
  await checkRowLimit(tx, key.userId, ROW_LIMIT)
  const scopes = await scopesWithin(tx, key.orgId ?? null, key.scopes ?? null)
  const plaintext = createApiKey()
  const row = await insertKey(tx, {
    id: Bun.randomUUIDv7(),
    userId: key.userId,
    orgId: key.orgId ?? null,
    name: key.name,
    prefix: keyPrefix(plaintext),
    hash: hashSecret(plaintext),
    expiresAt: key.expiresAt ?? null,
    scopes,
    allowedAddresses: key.allowedAddresses ?? null,
    parentId: key.parent?.id ?? null,
  })
  await recordAudit(tx, {
    userId: key.userId,
    action: 'key.created',
    subject: row.id,
    orgId: row.orgId,
    details: detailsOf(row, key.parent),
  })
  return { ...present(row), key: plaintext }
}

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  key_prefix: row.prefix,
  org_id: row.orgId,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
  ...limitsOf(row),
  ...(row.allowedAddresses && { allowed_addresses: row.allowedAddresses }),
  ...(row.parentId && { parent_id: row.parentId }),
})

export const keyRoutes = (mount: Mount, keys: KeyService): void => {
  mount(createKey, ({ caller, body }) => keys.create(caller, body))
  mount(delegateKey, ({ caller, body }) => keys.delegate(caller, body))
  mount(updateKey, ({ caller, params, body }) => keys.update(caller, params.key_id, body))
  mount(listKeys, ({ caller }) => keys.list(caller))
  mount(revokeKey, async ({ caller, params }) => {
    await keys.revoke(caller, params.key_id)
    return undefined
  })
}
