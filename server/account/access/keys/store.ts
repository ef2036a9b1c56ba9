import { and, desc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import { type Database, type Db, fromRow } from '../../../platform/db/database.ts'
import { createSharedRead } from '../../../platform/shared-statements.ts'
import type { PolicyFacts } from '../../organizations/policies/shortfall.ts'
import { findAccountFactor } from '../../organizations/policies/store.ts'
import { type UserRow, users } from '../../users/table.ts'
import type { OrgContext } from '../caller.ts'
import { type ApiKeyRow, apiKeys } from './table.ts'

export const insertKey = async (db: Db, key: typeof apiKeys.$inferInsert): Promise<ApiKeyRow> => {
  const [row] = await db.insert(apiKeys).values(key).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

export const findKeys = (db: Db, userId: string): Promise<ApiKeyRow[]> =>
  db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id))

export const findKey = async (db: Db, id: string): Promise<ApiKeyRow | undefined> => {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id))
  return row
}

/** @param key selects it as `k`. @param orgId the requested organization. */
const find = ({ key, orgId, more = '' }: { key: string; orgId: string; more?: string }) => `
select ${more}k.id as key_id, k.name as key_name, k.org_id as key_org_id, k.scopes as key_scopes,
  k.allowed_addresses,
  k.paused_at is not null as is_paused, u.*,
  k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_stale,
  o.id as acting_id, o.name as acting_name, m.role as acting_role, o.policies as acting_policies
from ${key}
join users u on u.id = k.user_id and u.disabled_at is null
left join org_members m on m.user_id = u.id and m.org_id = coalesce(k.org_id, ${orgId})
left join orgs o on o.id = m.org_id
where (k.expires_at is null or k.expires_at > now()) and (k.org_id is null or m.org_id is not null)`

interface FoundKey {
  keyId: string
  name: string
  scopes: Scope[] | null
  allowedAddresses: string[] | null
  isPaused: boolean
  /** Whether `last_used_at` is due for an update. */
  isStale: boolean
  /** The organization of the key. */
  orgId: string | null
  user: UserRow
  /** The organization of the key, or the requested one; null when the user is not a member of it. */
  org: OrgContext | null
  facts: PolicyFacts
}

const findOne = (column: 'hash' | 'id') =>
  `${find({ key: 'api_keys k', orgId: '$2::uuid' })} and k.${column} = $1`
const FIND_BY_HASH = findOne('hash')
const FIND_BY_ID = findOne('id')
const FIND_ALL = find({
  // The limit makes this a lookup for each, whatever the planner expects.
  key: `unnest($1::text[], $2::uuid[]) with ordinality q(hash, org_id, place)
    cross join lateral (select * from api_keys where hash = q.hash limit 1) k`,
  orgId: 'q.org_id',
  more: 'q.place::int as place, ',
})

interface ValidKeyRow extends Record<string, unknown> {
  id: string
  key_id: string
  key_name: string
  key_org_id: string | null
  key_scopes: Scope[] | null
  allowed_addresses: string[] | null
  is_paused: boolean
  is_stale: boolean
  acting_id: string | null
  acting_name: string
  acting_role: string
  acting_policies: PolicyFacts['policies']
}

interface Lookup {
  hash: string
  orgId: string | null
}

/**
 * Finds a valid key with its user. A key of a disabled user, or of an organization that the user has
 * left, is not found. Requests that arrive together share a statement. Plain SQL, because each
 * request with a key makes this query.
 */
export const createKeyFinder = ({ query, db }: Pick<Database, 'query' | 'db'>) => {
  const findByHash = createSharedRead<Lookup, ValidKeyRow | undefined>({
    runOne: async ({ hash, orgId }) => (await query<ValidKeyRow>(FIND_BY_HASH, [hash, orgId]))[0],
    async runAll(keys) {
      const found = await query<ValidKeyRow & { place: number }>(FIND_ALL, [
        keys.map(({ hash }) => hash),
        keys.map(({ orgId }) => orgId),
      ])
      const rows = new Map(found.map((row) => [row.place - 1, row]))
      return keys.map((_, index) => rows.get(index))
    },
  })
  const findById = async ({ id, orgId }: { id: string; orgId: string | null }) =>
    (await query<ValidKeyRow>(FIND_BY_ID, [id, orgId]))[0]

  return async (
    key: { hash: string } | { id: string },
    orgId: string | null,
  ): Promise<FoundKey | undefined> => {
    const row = await ('hash' in key ? findByHash({ ...key, orgId }) : findById({ ...key, orgId }))
    return row && foundFromRow(db, row)
  }
}

const foundFromRow = async (db: Db, row: ValidKeyRow): Promise<FoundKey> => {
  const { acting_id: id, acting_name: name, acting_role: role, acting_policies: policies } = row
  // Few organizations ask for it, and reading it in the statement above would slow down each request by a tenth.
  const needsFactor = (policies?.second_factor ?? 'none') !== 'none'
  return {
    keyId: row.key_id,
    name: row.key_name,
    scopes: row.key_scopes,
    allowedAddresses: row.allowed_addresses,
    isPaused: row.is_paused,
    isStale: row.is_stale,
    orgId: row.key_org_id,
    user: fromRow(users, { ...row }),
    org: id === null ? null : { id, name, role },
    facts: {
      policies,
      accountFactor: needsFactor ? await findAccountFactor(db, row.id) : null,
    },
  }
}

/** Locks a key of a user, so that its limits stay while a key is created within them. */
export const lockKeyOf = async (
  tx: Db,
  userId: string,
  id: string,
): Promise<ApiKeyRow | undefined> => {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId)))
    .for('update')
  return row
}

export const updateKeyRow = async (
  tx: Db,
  id: string,
  change: Partial<Pick<ApiKeyRow, 'name' | 'scopes' | 'pausedAt' | 'allowedAddresses'>>,
): Promise<ApiKeyRow | undefined> => {
  const [row] = await tx.update(apiKeys).set(change).where(eq(apiKeys.id, id)).returning()
  return row
}

/** The keys that a key created. */
export const findChildren = (tx: Db, id: string): Promise<ApiKeyRow[]> =>
  tx.select().from(apiKeys).where(eq(apiKeys.parentId, id)).orderBy(apiKeys.id).for('update')

export const deleteKeys = async (db: Db, userId: string): Promise<void> => {
  await db.delete(apiKeys).where(eq(apiKeys.userId, userId))
}

export const deleteKeysIn = async (db: Db, orgId: string, userId: string): Promise<void> => {
  await db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), eq(apiKeys.orgId, orgId)))
}

/** Deletes keys that expired more than 30 days ago, and expired ones of agents, which are many. */
export const deleteOldKeys = async (tx: Db, userId: string): Promise<void> => {
  const isOld = or(
    lt(apiKeys.expiresAt, sql`now() - interval '30 days'`),
    and(isNotNull(apiKeys.parentId), lt(apiKeys.expiresAt, sql`now()`)),
  )
  await tx.delete(apiKeys).where(and(eq(apiKeys.userId, userId), isOld))
}

/** @returns whether the key existed. */
export const deleteKey = async (db: Db, id: string): Promise<boolean> => {
  const deleted = await db.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ id: apiKeys.id })
  return deleted.length > 0
}

/** Updates `last_used_at`, at most once a minute. */
export const touchKey = async (db: Db, id: string): Promise<void> => {
  const stale = lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`)
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), stale)))
}
