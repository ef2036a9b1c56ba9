import {
  activateOrg,
  createOrg,
  deactivateOrg,
  deleteOrg,
  getOrg,
  listOrgs,
  updateOrg,
} from '../../../shared/contract/index.ts'
import type {
  CreateOrganization,
  Organization,
  UpdateOrganization,
} from '../../../shared/contract/organizations.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller, Proof } from '../../platform/http/caller.ts'
import { commonError } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../platform/row-limit.ts'
import { type EraseOrgData, eraseOrg } from './membership.ts'
import { shortfallOf } from './policies/shortfall.ts'
import {
  checkKeyScope,
  checkOwner,
  checkPersonalCredential,
  lockCaller,
  lockOrgAsMember,
  recordOrgAudit,
} from './rights.ts'
import { type SeatsOf, seatsFor } from './seats.ts'
import {
  activate,
  deactivate,
  findOrgView,
  insertMember,
  insertOrg,
  listMemberIds,
  listOrgsOfUser,
  lockOrgForDelete,
  type OrgView,
  renameOrg,
} from './store.ts'
import { orgMembers } from './table.ts'

/** The list of organizations has no pages. */
const ROW_LIMIT: RowLimit = { table: orgMembers, max: 100, name: 'organizations' }

/** @throws ApiError 409 for a user who is in 100 organizations. */
export const checkMemberships = (tx: Db, userId: string): Promise<void> =>
  checkRowLimit(tx, userId, ROW_LIMIT)

export type OrgService = ReturnType<typeof createOrgService>

export const createOrgService = (
  { db }: Database,
  { seatsOf, eraseData }: { seatsOf: SeatsOf; eraseData: EraseOrgData },
) => {
  return {
    /** @throws ApiError 403 when the caller is not a member or the organization does not exist. */
    read: (caller: Caller, orgId: string): Promise<Organization> =>
      readOrg(db, caller, orgId, seatsOf),

    /** An API key of an organization lists only this organization. */
    async list(caller: Caller): Promise<Organization[]> {
      const orgs = await listOrgsOfUser(db, caller.userId)
      const onlyId = caller.keyId && caller.me.org?.id
      return orgs
        .filter(({ org }) => !onlyId || org.id === onlyId)
        .map((org) => presentOrg(org, seatsOf, caller.proof))
    },

    /** @throws ApiError 409 for a user who is in too many organizations. */
    async create(caller: Caller, { name }: CreateOrganization): Promise<Organization> {
      checkPersonalCredential(caller)
      const id = Bun.randomUUIDv7()
      return db.transaction(async (tx) => {
        const { id: userId } = await lockCaller(tx, caller)
        await insertOwnedOrg(tx, { id, name }, userId)
        return readOrg(tx, caller, id, seatsOf)
      })
    },

    /** @throws ApiError 403 for a caller who is not an owner. */
    async rename(
      caller: Caller,
      orgId: string,
      { name }: UpdateOrganization,
    ): Promise<Organization> {
      return db.transaction(async (tx) => {
        const { role } = await lockOrgAsMember(tx, caller, orgId)
        checkOwner(role)
        await renameOrg(tx, orgId, oneLine(name))
        await recordOrgAudit(tx, 'org.renamed', orgId, { by: caller.userId })
        return readOrg(tx, caller, orgId, seatsOf)
      })
    },

    /**
     * Deletes an organization with its shared data.
     * @throws ApiError 403 for a caller who is not an owner, and for an API key of an organization.
     */
    async delete(caller: Caller, orgId: string): Promise<void> {
      checkPersonalCredential(caller)
      await db.transaction(async (tx) => {
        const { org, role } = await lockOrgAsMember(tx, caller, orgId, lockOrgForDelete)
        checkOwner(role)
        const concerns = await listMemberIds(tx, org.id)
        await recordOrgAudit(tx, 'org.deleted', org.id, { by: caller.userId, concerns })
        await eraseOrg(tx, org.id, eraseData)
      })
    },

    /** @throws ApiError 403 as `read` does. */
    async activate(caller: Caller, orgId: string): Promise<Organization> {
      checkPersonalCredential(caller)
      return db.transaction(async (tx) => {
        if (!(await activate(tx, caller.userId, orgId))) throw commonError('not_org_member')
        await recordOrgAudit(tx, 'org.activated', orgId, { by: caller.userId })
        return readOrg(tx, caller, orgId, seatsOf)
      })
    },

    async deactivate(caller: Caller): Promise<void> {
      checkPersonalCredential(caller)
      await deactivate(db, caller.userId)
    },
  }
}

/** @throws ApiError 409 for a user who is in too many organizations. */
const insertOwnedOrg = async (
  tx: Db,
  { id, name }: { id: string; name: string },
  userId: string,
): Promise<void> => {
  await checkMemberships(tx, userId)
  await insertOrg(tx, { id, name: oneLine(name) })
  await insertMember(tx, { orgId: id, userId, role: 'owner' })
  await recordOrgAudit(tx, 'org.created', id, { by: userId })
}

const readOrg = async (
  db: Db,
  caller: Caller,
  orgId: string,
  seatsOf: SeatsOf,
): Promise<Organization> => {
  checkKeyScope(caller, orgId)
  const org = await findOrgView(db, caller.userId, orgId)
  if (!org) throw commonError('not_org_member')
  return presentOrg(org, seatsOf, caller.proof)
}

/** Names appear in the subjects of emails, which must not contain line breaks. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ')

export const presentOrg = (
  view: OrgView,
  seatsOf: SeatsOf,
  proof: Proof | undefined,
): Organization => {
  const missing = shortfallOf(view, proof)
  return {
    id: view.org.id,
    name: view.org.name,
    role: view.role,
    is_active: view.isActive,
    seats: { used: view.memberCount + view.openInvites, limit: seatsFor(view.tiers, seatsOf) },
    created_at: view.org.createdAt.toISOString(),
    updated_at: view.org.updatedAt.toISOString(),
    ...(missing.length > 0 && { missing }),
  }
}

export const orgRoutes = (mount: Mount, orgs: OrgService): void => {
  mount(listOrgs, ({ caller }) => orgs.list(caller))
  mount(createOrg, ({ caller, body }) => orgs.create(caller, body))
  mount(getOrg, ({ caller, params }) => orgs.read(caller, params.org_id))
  mount(updateOrg, ({ caller, params, body }) => orgs.rename(caller, params.org_id, body))
  mount(deleteOrg, async ({ caller, params }) => {
    await orgs.delete(caller, params.org_id)
    return undefined
  })
  mount(activateOrg, ({ caller, params }) => orgs.activate(caller, params.org_id))
  mount(deactivateOrg, async ({ caller }) => {
    await orgs.deactivate(caller)
    return undefined
  })
}
