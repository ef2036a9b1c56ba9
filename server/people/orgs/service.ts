import type {
  CreateOrganization,
  Organization,
  UpdateOrganization,
} from '../../../shared/schemas/orgs.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { notOrgMember } from './acting.ts'
import {
  type Accounts,
  checkPersonal,
  checkReach,
  endMembership,
  enter,
  holdCaller,
  noting,
} from './entry.ts'
import { deleteInvitesTo } from './invites-store.ts'
import { presentOrg } from './present.ts'
import { checkOwner } from './roles.ts'
import type { SeatsOf } from './seats.ts'
import {
  activate,
  countMembers,
  deactivate,
  deleteOrgRow,
  findOrgOf,
  findRole,
  hasOtherOwner,
  insertMember,
  insertOrg,
  listMemberIds,
  listOrgIdsOf,
  listOrgsOf,
  lockOrg,
  lockOrgWhole,
  renameOrg,
} from './store.ts'
import { orgMembers } from './table.ts'

/** They are listed all at once. */
const CAP: Cap = { table: orgMembers, most: 100, name: 'organizations' }

/** @throws ApiError 409 for whoever is in so many organizations that one more would be too many. */
export const checkMemberships = (tx: Db, userId: string): Promise<void> =>
  checkRoom(tx, userId, CAP)

export type OrgService = ReturnType<typeof createOrgService>

export const createOrgService = (
  { db }: Database,
  settings: {
    seatsOf: SeatsOf
    /** Each erases what one domain keeps of an organization as the owner of memories. */
    erasers: ((tx: Db, orgId: string) => Promise<void>)[]
    accounts: Accounts
  },
) => {
  const { accounts } = settings
  const note = noting(accounts)

  const read = async (from: Db, caller: Caller, orgId: string): Promise<Organization> => {
    checkReach(caller, orgId)
    const seen = await findOrgOf(from, caller.userId, orgId)
    if (!seen) throw notOrgMember()
    return presentOrg(seen, settings.seatsOf)
  }

  /** Erases an organization that is locked as a whole. */
  const erase = async (tx: Db, orgId: string): Promise<void> => {
    for (const eraser of settings.erasers) await eraser(tx, orgId)
    await deleteOrgRow(tx, orgId)
  }

  /** @throws ApiError 409 for the only owner of an organization with other members. */
  const leave = async (tx: Db, userId: string, orgId: string): Promise<void> => {
    const isAlone = async () => (await countMembers(tx, orgId)) === 1
    // Others go on writing in an organization that stays; where one goes, its turn is taken first.
    const org = await ((await isAlone()) ? lockOrgWhole : lockOrg)(tx, orgId)
    const role = org && (await findRole(tx, orgId, userId))
    if (!role) return
    if (await isAlone()) {
      await lockOrgWhole(tx, orgId)
      return erase(tx, orgId)
    }
    if (role === 'owner' && !(await hasOtherOwner(tx, orgId, userId)))
      throw new ApiError(
        409,
        `You are the only owner of the organization “${org.name}”: make another member an owner, or delete the organization, before you delete your account`,
      )
    await endMembership(tx, accounts, orgId, userId)
  }

  return {
    /** @throws ApiError 403 for an organization that the caller is not in, or that is not there. */
    read: (caller: Caller, orgId: string): Promise<Organization> => read(db, caller, orgId),

    async list(caller: Caller): Promise<Organization[]> {
      const all = await listOrgsOf(db, caller.userId)
      const reached = caller.keyId && caller.me.org?.id
      return all
        .filter(({ org }) => !reached || org.id === reached)
        .map((seen) => presentOrg(seen, settings.seatsOf))
    },

    /** @throws ApiError 409 for one too many. */
    async create(caller: Caller, { name }: CreateOrganization): Promise<Organization> {
      checkPersonal(caller)
      const id = Bun.randomUUIDv7()
      return db.transaction(async (tx) => {
        const { id: userId } = await holdCaller(tx, caller)
        await checkMemberships(tx, userId)
        await insertOrg(tx, { id, name: oneLine(name) })
        await insertMember(tx, { orgId: id, userId, role: 'owner' })
        await note(tx, 'org.created', id, { by: userId })
        return read(tx, caller, id)
      })
    },

    /** @throws ApiError 403 for whoever is no owner. */
    async rename(caller: Caller, orgId: string, { name }: UpdateOrganization) {
      return db.transaction(async (tx) => {
        const { role } = await enter(tx, caller, orgId)
        checkOwner(role)
        await renameOrg(tx, orgId, oneLine(name))
        await note(tx, 'org.renamed', orgId, { by: caller.userId })
        return read(tx, caller, orgId)
      })
    },

    /** Deletes an organization with all that its members share. @throws ApiError 403 for whoever is no owner. */
    async delete(caller: Caller, orgId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { org, role } = await enter(tx, caller, orgId, lockOrgWhole)
        checkOwner(role)
        const members = await listMemberIds(tx, org.id)
        await note(tx, 'org.deleted', org.id, { by: caller.userId, of: members })
        await erase(tx, org.id)
      })
    },

    /** @throws ApiError 403 as `read`. */
    async activate(caller: Caller, orgId: string): Promise<Organization> {
      checkPersonal(caller)
      return db.transaction(async (tx) => {
        if (!(await activate(tx, caller.userId, orgId))) throw notOrgMember()
        await note(tx, 'org.activated', orgId, { by: caller.userId })
        return read(tx, caller, orgId)
      })
    },

    async deactivate(caller: Caller): Promise<void> {
      checkPersonal(caller)
      await deactivate(db, caller.userId)
    },

    /**
     * Takes somebody whose account is being deleted, and is locked, out of everything: an organization
     * that nobody else is in goes with them.
     * @throws ApiError 409 for the only owner of an organization with other members.
     */
    async leaveAll(tx: Db, user: { id: string; email: string }): Promise<void> {
      for (const orgId of await listOrgIdsOf(tx, user.id)) await leave(tx, user.id, orgId)
      await deleteInvitesTo(tx, user)
    },
  }
}

/** Names stand in mails and their subjects. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ')
