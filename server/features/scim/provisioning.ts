import type { DirectoryMembers } from '../../account/organizations/directory-members.ts'
import type { InviteService } from '../../account/organizations/invites/service.ts'
import { isManagedBy } from '../../account/organizations/managed.ts'
import { recordOrgChange } from '../../account/organizations/rights.ts'
import type { OrgRow } from '../../account/organizations/table.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { lockUserExclusive } from '../../account/users/lock.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { IsAdmin } from '../../account/users/user.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import { ScimError } from './errors.ts'
import type { ScimUserRow } from './table.ts'
import type { ScimActor } from './tokens.ts'
import { NOW, setAccount, updateAccount } from './users-store.ts'

/** Who changes an address: paragraphs of the email, and details of the audit log. */
interface AddressChange {
  paragraphs: readonly string[]
  details: Record<string, string>
}

export interface ProvisioningDeps {
  /** Creates an account that has no password. */
  register(tx: Db, email: string): Promise<UserRow>
  invites: Pick<InviteService, 'provision'>
  members: DirectoryMembers
  audit: Pick<AuditService, 'record'>
  /** Ends the sessions, API keys and pending sign-ins of an account. */
  endAccess(tx: Db, userId: string): Promise<void>
  /**
   * Gives an account another address, and tells both addresses by email.
   * @throws ApiError 409 when another account has the address.
   */
  assignAddress(tx: Db, account: UserRow, email: string, by: AddressChange): Promise<unknown>
  isAdmin: IsAdmin
}

/** A SCIM user whose organization, and account if there is one, are locked. */
export interface Provisioned {
  actor: ScimActor
  org: OrgRow
  row: ScimUserRow
  account: UserRow | undefined
}

/**
 * Gives users of SCIM an account and a membership, and takes them. Every user of svc can create an
 * organization, so SCIM has power over an account only if the organization has verified the domain of the
 * address and SCIM has created the account. It ends no more than the membership of other accounts, and
 * makes only those with a verified address at such a domain members; the others are invited.
 */
export type Provisioning = ReturnType<typeof createProvisioning>

export const createProvisioning = (deps: ProvisioningDeps) => {
  const { members, audit, endAccess, assignAddress, isAdmin } = deps

  const isManaged = (tx: Db, orgId: string, account: UserRow): Promise<boolean> =>
    isManagedBy(tx, orgId, account, isAdmin)

  const { concernsOf, join, invite, create } = createAdmissions(deps)

  return {
    ownsAddress: members.ownsAddress,
    isMember: members.isMember,

    /** @throws ScimError 401 for an organization that was deleted, with its tokens. */
    async lockOrg(tx: Db, orgId: string): Promise<OrgRow> {
      const org = await members.lockOrg(tx, orgId)
      if (!org) throw new ScimError(401, 'The organization was deleted')
      return org
    },

    /** Locks the account of a SCIM user: the one that is linked, or that has the address. */
    async lockAccount(
      tx: Db,
      { userId, email }: Pick<ScimUserRow, 'userId' | 'email'>,
    ): Promise<UserRow | undefined> {
      const id = userId ?? (await members.findAccount(tx, email))?.id
      return id === undefined ? undefined : lockUserExclusive(tx, id)
    },

    /** @throws ApiError 402 without a free seat, 409 for an account that is in too many organizations. */
    async activate(tx: Db, user: Provisioned): Promise<void> {
      const { org, row, account } = user
      if (account?.disabledByOrgId === org.id) {
        await updateAccount(tx, account.id, { disabledAt: null, disabledByOrgId: null })
        await recordDisabled(audit, tx, user, { action: 'user.enabled', userId: account.id })
      }
      if (account && (await members.isMember(tx, org.id, account.id)))
        return setAccount(tx, row, { userId: account.id, endedMembership: false })
      const owned = await members.ownsAddress(tx, org.id, account?.email ?? row.email)
      // An account that took the address of a deleted one has ended nothing.
      const wasMember = row.endedMembership && account?.id === row.userId
      const consents = account && (wasMember || (owned && account.emailVerified))
      if (consents) return join(tx, user, account)
      if (owned && !account) return join(tx, user, await create(tx, user))
      return invite(tx, user)
    },

    /** @throws ApiError 409 for the last owner. */
    async deactivate(tx: Db, user: Provisioned): Promise<void> {
      const { org, row, account } = user
      const wasMember = await members.remove(tx, org.id, account, row.email)
      if (!account) return
      if (wasMember) {
        await setAccount(tx, row, { userId: account.id, endedMembership: true })
        await recordOrgChange(tx, 'org.member_removed', org.id, {
          concerns: await concernsOf(tx, user, account),
          details: { user_id: account.id, scim_token: user.actor.name },
        })
      }
      if (account.disabledAt || !(await isManaged(tx, org.id, account))) return
      await endAccess(tx, account.id)
      await updateAccount(tx, account.id, { disabledAt: NOW, disabledByOrgId: org.id })
      await recordDisabled(audit, tx, user, { action: 'user.disabled', userId: account.id })
    },

    /** Gives an account that the organization manages the name of its user. */
    async rename(tx: Db, { org, row, account }: Provisioned): Promise<void> {
      const displayName = displayNameOf(row)
      if (!account || account.id !== row.userId || displayName === undefined) return
      if (displayName !== account.displayName && (await isManaged(tx, org.id, account)))
        await updateAccount(tx, account.id, { displayName })
    },

    /**
     * Gives an account that the organization manages the changed address of its user, if that is at a verified domain
     * too. An address that another account has stays with that one, and the response does not show it.
     */
    async readdress(tx: Db, { actor, org, row, account }: Provisioned): Promise<void> {
      if (!account || account.id !== row.userId || account.email === row.email) return
      if (!(await isManaged(tx, org.id, account))) return
      if (!(await members.ownsAddress(tx, org.id, row.email))) return
      // Within a savepoint, because a refusal must not end the transaction.
      const assigned = tx.transaction((inner) =>
        assignAddress(inner, account, row.email, {
          paragraphs: [`The organization ${org.name} changed it.`],
          details: { org_id: org.id, scim_token: actor.name },
        }),
      )
      await assigned.catch((error) => {
        if (!(error instanceof ApiError && error.status === 409)) throw error
      })
    },
  }
}

const recordDisabled = (
  audit: ProvisioningDeps['audit'],
  tx: Db,
  { actor, org }: Provisioned,
  { action, userId }: { action: 'user.disabled' | 'user.enabled'; userId: string },
) =>
  audit.record(tx, {
    userId,
    action,
    subject: userId,
    details: { org_id: org.id, scim_token: actor.name },
  })

/** Gives users of SCIM a membership, an invitation or an account. */
const createAdmissions = ({
  invites,
  members,
  register,
}: Pick<ProvisioningDeps, 'invites' | 'members' | 'register'>) => {
  /** The user, and the creator of the token, or the owners if that account was deleted. */
  const concernsOf = async (
    tx: Db,
    { actor, org }: Provisioned,
    account?: UserRow,
  ): Promise<string[]> => {
    const responsible = actor.createdBy ? [actor.createdBy] : await members.listOwners(tx, org.id)
    return [...new Set([...(account ? [account.id] : []), ...responsible])]
  }

  /** @throws ApiError 402 without a free seat. */
  const join = async (tx: Db, user: Provisioned, account: UserRow): Promise<void> => {
    const { org, row } = user
    const [orgId, userId] = [org.id, account.id]
    const role = await members.admit(tx, orgId, account, row.email)
    await setAccount(tx, row, { userId, endedMembership: false })
    await recordOrgChange(tx, 'org.member_joined', orgId, {
      concerns: await concernsOf(tx, user, account),
      details: { user_id: userId, role, scim_token: user.actor.name },
    })
  }

  /** A person may have invited the user already, with another role. */
  const invite = async (tx: Db, user: Provisioned): Promise<void> => {
    const { actor, org, row } = user
    if (await members.isInvited(tx, org.id, row.email)) return
    const { id } = await invites.provision(tx, org, row.email)
    await recordOrgChange(tx, 'org.invited', org.id, {
      concerns: await concernsOf(tx, user),
      details: { invite_id: id, role: 'member', scim_token: actor.name },
    })
  }

  const create = async (tx: Db, { org, row }: Provisioned): Promise<UserRow> => {
    const account = await register(tx, row.email)
    const displayName = displayNameOf(row)
    await updateAccount(tx, account.id, {
      managedByOrgId: org.id,
      ...(displayName && { displayName }),
    })
    return account
  }

  return { concernsOf, join, invite, create }
}

/** The maximum length that users choose themselves. */
const MAX_DISPLAY_NAME = 50

const displayNameOf = ({ attributes }: ScimUserRow): string | undefined => {
  const { displayName, name } = attributes
  const parts = typeof name === 'object' && !Array.isArray(name) ? name : {}
  const whole = parts.formatted ?? [parts.givenName, parts.familyName].filter(Boolean).join(' ')
  const text = String(displayName ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
  return [...text].slice(0, MAX_DISPLAY_NAME).join('') || undefined
}
