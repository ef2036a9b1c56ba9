import { parseInstant } from '../../../shared/contract/common.ts'
import { createScimToken, listScimTokens, revokeScimToken } from '../../../shared/contract/index.ts'
import { SCIM_PATH } from '../../../shared/contract/scim.ts'
import {
  type CreateScimToken,
  MAX_SCIM_TOKENS,
  type NewScimToken,
  type ScimOverview,
  type ScimToken,
} from '../../../shared/contract/scim-tokens.ts'
import {
  checkCallerManages,
  checkManager,
  checkOwner,
  lockOrgAsMember,
} from '../../account/organizations/rights.ts'
import type { AuditAction, AuditService } from '../../account/users/audit/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { rowLimitError } from '../../platform/row-limit.ts'
import { hashSecret } from '../../platform/secrets.ts'
import { ScimError } from './errors.ts'
import { countScimGroups } from './groups-store.ts'
import type { ScimTokenRow } from './table.ts'
import {
  countTokens,
  deleteToken,
  insertToken,
  listTokens,
  prepareFindToken,
  touchToken,
} from './tokens-store.ts'
import { countScimUsers } from './users-store.ts'

const tokenError = defineErrors({
  scim_token_not_found: { status: 404, detail: 'SCIM token not found' },
  scim_token_expiry_in_past: {
    status: 422,
    detail: [
      {
        loc: ['body', 'expires_at'],
        type: 'datetime_future',
        msg: 'Input should be in the future',
      },
    ],
  },
})

/** How tokens are written and recognized, as API keys are. */
export interface TokenFormat {
  create(): string
  isWellFormed(text: string): boolean
}

/** The identity provider of an organization. */
export interface ScimActor {
  orgId: string
  /** The name of its token. */
  name: string
  /** The owner who created the token; null when that account is deleted. */
  createdBy: string | null
}

/**
 * The credentials of identity providers. A token can remove any member but the last owner, so only owners
 * create one; owners and admins see and revoke them.
 */
export type ScimTokenService = ReturnType<typeof createScimTokenService>

export const createScimTokenService = (
  { db }: Database,
  {
    format,
    audit,
    baseUrl,
  }: { format: TokenFormat; audit: Pick<AuditService, 'record'>; baseUrl: string },
) => {
  const findToken = prepareFindToken(db)
  return {
    /** @throws ApiError 403 for a caller who is no owner, 409 for too many tokens, 422 for a past expiry. */
    async create(
      caller: Caller,
      orgId: string,
      { name, expires_at }: CreateScimToken,
    ): Promise<NewScimToken> {
      const expiresAt = expires_at ? (parseInstant(expires_at) ?? null) : null
      if (expiresAt && expiresAt.getTime() <= Date.now())
        throw tokenError('scim_token_expiry_in_past')
      return db.transaction(async (tx) => {
        const { org, role } = await lockOrgAsMember(tx, caller, orgId)
        checkOwner(role)
        if ((await countTokens(tx, org.id)) >= MAX_SCIM_TOKENS)
          throw rowLimitError('cap_reached', MAX_SCIM_TOKENS, 'SCIM tokens')
        const token = format.create()
        const row = await insertToken(tx, {
          id: Bun.randomUUIDv7(),
          orgId: org.id,
          name,
          expiresAt,
          hash: hashSecret(token),
          createdBy: caller.userId,
        })
        await audit.record(tx, entryOf(caller, 'scim_token.created', row))
        return { ...present(row), token }
      })
    },

    /** @throws ApiError 403 for a caller who is neither owner nor admin. */
    async overview(caller: Caller, orgId: string): Promise<ScimOverview> {
      await checkCallerManages(db, caller, orgId)
      const [tokens, user_count, group_count] = await Promise.all([
        listTokens(db, orgId),
        countScimUsers(db, orgId),
        countScimGroups(db, orgId),
      ])
      return {
        base_url: `${baseUrl}${SCIM_PATH}`,
        user_count,
        group_count,
        tokens: tokens.map(present),
      }
    },

    /** @throws ApiError as `overview`, and 404. */
    async revoke(caller: Caller, orgId: string, tokenId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { role } = await lockOrgAsMember(tx, caller, orgId)
        checkManager(role)
        const row = await deleteToken(tx, orgId, tokenId)
        if (!row) throw tokenError('scim_token_not_found')
        await audit.record(tx, entryOf(caller, 'scim_token.revoked', row))
      })
    },

    /** @throws ScimError 401 for a token that is malformed, unknown, revoked or expired. */
    async authenticate(text: string | undefined): Promise<ScimActor> {
      const found =
        text && format.isWellFormed(text) ? await findToken(hashSecret(text)) : undefined
      if (!found)
        throw new ScimError(
          401,
          'The SCIM token is missing, unknown, revoked or expired',
          undefined,
          {
            headers: { 'www-authenticate': 'Bearer realm="svc"' },
            reason: 'scim_token_invalid',
          },
        )
      const { token, isStale } = found
      if (isStale) await touchToken(db, token.id)
      return { orgId: token.orgId, name: token.name, createdBy: token.createdBy }
    },
  }
}

const entryOf = (caller: Caller, action: AuditAction, { id, orgId, name }: ScimTokenRow) => ({
  userId: caller.userId,
  action,
  subject: id,
  details: { org_id: orgId, name },
})

const present = (row: ScimTokenRow): ScimToken => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
})

export const scimTokenRoutes = (mount: Mount, tokens: ScimTokenService): void => {
  mount(createScimToken, ({ caller, params, body }) => tokens.create(caller, params.org_id, body))
  mount(listScimTokens, ({ caller, params }) => tokens.overview(caller, params.org_id))
  mount(revokeScimToken, async ({ caller, params }) => {
    await tokens.revoke(caller, params.org_id, params.token_id)
    return undefined
  })
}
