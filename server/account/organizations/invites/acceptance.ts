import {
  acceptInvite,
  createInvite,
  declineInvite,
  listInvites,
  withdrawInvite,
} from '../../../../shared/contract/index.ts'
import type { Organization } from '../../../../shared/contract/organizations.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { commonError } from '../../../platform/http/error.ts'
import { checkVerified } from '../../../platform/http/guard.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { plainName } from '../../../platform/text/name.ts'
import type { UserRow } from '../../users/table.ts'
import { verifyAddress } from '../../users/user.ts'
import { deleteFormerMember } from '../domains/store.ts'
import { checkPersonalCredential, lockCaller, recordOrgAudit } from '../rights.ts'
import { checkSeatToJoin, type SeatsOf } from '../seats.ts'
import { checkMemberships, presentOrg } from '../service.ts'
import { deactivate, findOrgView, findRole, insertMember, lockOrg, type OrgView } from '../store.ts'
import type { OrgInviteRow } from '../table.ts'
import { displayNameOf, type InviteService, inviteError } from './service.ts'
import { consumeInvite, deleteOpenInvite, findInvite } from './store.ts'
import type { InviteTokens } from './token.ts'

/** The proof in the mailed link, and the client that sends it. */
interface MailedProof {
  proof: string
  client: RequestClient
}

/** The state of an invite for the user who opens its link. */
export type InviteState = 'not_open' | 'other_address' | 'unverified' | 'member' | 'ready'

export interface InviteView {
  orgName: string
  /** Undefined when the account of the inviter is deleted. */
  inviter: string | undefined
  email: string
  role: OrgInviteRow['role']
  state: InviteState
}

/** Called when an account has accepted the invite of an address, in the transaction of it. */
export type OnInviteAccepted = (
  tx: Db,
  accepted: { orgId: string; email: string; userId: string },
) => Promise<void>

interface InviteAcceptanceDeps {
  database: Database
  tokens: InviteTokens
  seatsOf: SeatsOf
  onInviteAccepted: OnInviteAccepted
}

/** Lets the owner of an invited address view, accept and decline the invite. */
export type InviteAcceptanceService = ReturnType<typeof createInviteAcceptanceService>

export const createInviteAcceptanceService = ({
  database: { db },
  tokens,
  seatsOf,
  onInviteAccepted,
}: InviteAcceptanceDeps) => {
  return {
    /**
     * Makes the caller a member. For a caller who is a member already, the invite is consumed and the
     * role stays.
     * @param mailed verifies an address that is not verified yet.
     * @throws ApiError 402 without a free seat, 403 for another or an unverified address, 409 for too
     * many organizations, 410 for an invite that is not open.
     */
    async accept(caller: Caller, token: string, mailed?: MailedProof): Promise<Organization> {
      checkPersonalCredential(caller)
      return db.transaction(async (tx) => {
        const user = await lockCaller(tx, caller)
        const invite = (await findInvite(tx, hashSecret(token)))?.invite
        if (!invite || !isOpen(invite)) throw inviteError('invite_not_open')
        await checkAddress(tx, tokens, { caller, user, invite }, mailed)
        const { orgId } = invite
        if (!(await lockOrg(tx, orgId)) || !(await consumeInvite(tx, invite.id)))
          throw inviteError('invite_not_open')
        if (!(await findRole(tx, orgId, user.id))) await join(tx, user.id, invite, seatsOf)
        await onInviteAccepted(tx, { orgId, email: invite.email, userId: user.id })
        return presentOrg(await requireOrgView(tx, user.id, orgId), seatsOf, caller.proof)
      })
    },

    /** @throws ApiError 410 for an invite that is not open. */
    async decline(token: string): Promise<void> {
      if (!(await deleteOpenInvite(db, hashSecret(token)))) throw inviteError('invite_not_open')
    },

    /** @returns undefined for an unknown token. */
    async view(
      token: string,
      caller: Caller | undefined,
      proof: string,
    ): Promise<InviteView | undefined> {
      const found = await findInvite(db, hashSecret(token))
      if (!found) return undefined
      const { invite, orgName, inviter } = found
      const isMember = caller && (await findRole(db, invite.orgId, caller.userId))
      const isVerified = caller?.me.email_verified || tokens.isProof(invite.id, proof)
      const state = (): InviteState => {
        if (isMember) return 'member'
        if (!isOpen(invite)) return 'not_open'
        if (caller && caller.me.email !== invite.email) return 'other_address'
        return isVerified ? 'ready' : 'unverified'
      }
      return {
        orgName: plainName(orgName),
        inviter: inviter ? displayNameOf(inviter) : undefined,
        email: invite.email,
        role: invite.role,
        state: state(),
      }
    },
  }
}

/**
 * Checks that the invite is for the user's address. The proof in the mailed link verifies the address.
 * @throws ApiError 403 for another address, and for an address that is not verified.
 */
const checkAddress = async (
  tx: Db,
  tokens: InviteTokens,
  { caller, user, invite }: { caller: Caller; user: UserRow; invite: OrgInviteRow },
  mailed: MailedProof | undefined,
): Promise<void> => {
  if (user.email !== invite.email) throw inviteError('invite_for_other_address')
  if (user.emailVerified) return
  if (mailed && tokens.isProof(invite.id, mailed.proof))
    await verifyAddress(tx, user.id, user.email, mailed.client)
  else checkVerified(caller)
}

/** @throws ApiError 402 without a free seat, 409 for a user who is in too many organizations. */
const join = async (
  tx: Db,
  userId: string,
  invite: OrgInviteRow,
  seatsOf: SeatsOf,
): Promise<void> => {
  const { orgId, role, invitedBy } = invite
  await checkMemberships(tx, userId)
  await insertMember(tx, { orgId, userId, role })
  checkSeatToJoin(await requireOrgView(tx, userId, orgId), seatsOf)
  await deleteFormerMember(tx, orgId, invite.email)
  // The organization is not active again when a former member rejoins.
  await deactivate(tx, userId, orgId)
  await recordOrgAudit(tx, 'org.member_joined', orgId, {
    by: userId,
    concerns: invitedBy ? [invitedBy] : [],
    details: { user_id: userId, role },
  })
}

const isOpen = ({ acceptedAt, expiresAt }: OrgInviteRow): boolean =>
  acceptedAt === null && expiresAt.getTime() > Date.now()

/** @throws ApiError 403 for a user who is not a member. */
const requireOrgView = async (tx: Db, userId: string, orgId: string): Promise<OrgView> => {
  const view = await findOrgView(tx, userId, orgId)
  if (!view) throw commonError('not_org_member')
  return view
}

export const inviteRoutes = (
  mount: Mount,
  invites: InviteService,
  acceptance: InviteAcceptanceService,
): void => {
  mount(createInvite, ({ caller, params, body }) => invites.create(caller, params.org_id, body))
  mount(listInvites, ({ caller, params }) => invites.list(caller, params.org_id))
  mount(withdrawInvite, async ({ caller, params }) => {
    await invites.withdraw(caller, params.org_id, params.invite_id)
    return undefined
  })
  mount(acceptInvite, ({ caller, body }) => acceptance.accept(caller, body.token))
  mount(declineInvite, async ({ body }) => {
    await acceptance.decline(body.token)
    return undefined
  })
}
