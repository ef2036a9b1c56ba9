import type { Me } from '../../../shared/schemas/account.ts'
import type { CreateInvite, Organization, OrgInvite } from '../../../shared/schemas/orgs.ts'
import type { EmailService } from '../../account/email/service.ts'
import { hashSecret } from '../../account/keys/token.ts'
import { emailFault, normalizeEmail } from '../../account/users/email.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { checkVerified } from '../../platform/http/guard.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Client } from '../../platform/http/route.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { plainName } from '../../platform/text/name.ts'
import { notOrgMember } from './acting.ts'
import { type Accounts, checkPersonal, checkReach, enter, holdCaller, noting } from './entry.ts'
import {
  clearInvites,
  declineInvite,
  deleteInvite,
  findInvite,
  insertInvite,
  listOpenInvites,
  takeInvite,
} from './invites-store.ts'
import { invitationLetter } from './letters.ts'
import { presentInvite, presentOrg } from './present.ts'
import { checkManager } from './roles.ts'
import { checkSeatToInvite, checkSeatToJoin, type SeatsOf } from './seats.ts'
import { checkMemberships } from './service.ts'
import {
  deactivate,
  findOrgOf,
  findRole,
  hasMemberWith,
  insertMember,
  lockOrg,
  type Seen,
} from './store.ts'
import type { OrgInviteRow } from './table.ts'
import type { InviteTokens } from './token.ts'

/** What stood in the mail beside the link, and who sends it back. */
export interface Mailed {
  proof: string
  client: Client
}

/** How things stand between an invite and whoever looks at it. */
export type Standing = 'over' | 'other_address' | 'unproved' | 'member' | 'ready'

/** What the page behind a link shows. */
export interface SeenInvite {
  orgName: string
  /** Undefined when whoever invited is gone. */
  inviter: string | undefined
  email: string
  role: OrgInviteRow['role']
  standing: Standing
}

export interface InviteSurroundings {
  database: Database
  mailer: Mailer
  limits: Limits
  emails: EmailService
  audit: Accounts['audit']
  tokens: InviteTokens
  seatsOf: SeatsOf
  baseUrl: string
}

export type InviteService = ReturnType<typeof createInviteService>

/** Invites by mail: each waits for the owner of one address. */
export const createInviteService = ({ database, tokens, ...surroundings }: InviteSurroundings) => {
  const { mailer, limits, emails, seatsOf, baseUrl } = surroundings
  const { db } = database
  const note = noting(surroundings)

  const linkTo = ({ id }: OrgInviteRow): string => `${baseUrl}/invite?token=${tokens.link(id)}`

  const mail = (tx: Db, invite: OrgInviteRow, orgName: string, inviter: string): Promise<void> => {
    const url = `${linkTo(invite)}&proof=${tokens.proof(invite.id)}`
    return mailer.send(
      invitationLetter({ to: invite.email, orgName: plainName(orgName), inviter, url }),
      tx,
    )
  }

  /** Fills nobody's mailbox: neither many, nor one again and again. */
  const takeLimits = async ({ userId }: Caller, orgId: string, email: string): Promise<void> => {
    await limits.mailedLinks.take(hashSecret(`${orgId.toLowerCase()} ${email}`))
    await limits.invites.take(userId)
  }

  /** @throws ApiError 403 for whoever is neither owner nor admin. */
  const checkMayManage = async (caller: Caller, orgId: string): Promise<void> => {
    checkReach(caller, orgId)
    const role = await findRole(db, orgId, caller.userId)
    if (!role) throw notOrgMember()
    checkManager(role)
  }

  /**
   * Makes sure that the invite is to the person's own address, proved by now or by the mail.
   * @throws ApiError 403 for another address, or one that is not proved.
   */
  const checkAddress = async (
    tx: Db,
    { caller, user, invite }: { caller: Caller; user: UserRow; invite: OrgInviteRow },
    mailed: Mailed | undefined,
  ): Promise<void> => {
    if (user.email !== invite.email)
      throw new ApiError(403, 'This invitation is for another email address')
    if (user.emailVerified) return
    if (mailed && tokens.isProof(invite.id, mailed.proof))
      await emails.confirm(tx, user.id, user.email, mailed.client)
    else checkVerified(caller)
  }

  /** @throws ApiError 402 without a seat, 409 for somebody who is in too many organizations. */
  const join = async (tx: Db, userId: string, invite: OrgInviteRow): Promise<void> => {
    const { orgId, role, invitedBy } = invite
    await checkMemberships(tx, userId)
    await insertMember(tx, { orgId, userId, role })
    checkSeatToJoin(await seenBy(tx, userId, orgId), seatsOf)
    // What was active before they left is not to be so again by itself.
    await deactivate(tx, userId, orgId)
    await note(tx, 'org.member_joined', orgId, {
      by: userId,
      of: invitedBy ? [invitedBy] : [],
      details: { user_id: userId, role },
    })
  }

  return {
    /**
     * @throws ApiError 402 when no seat is left, 403 for whoever may not invite, 409 for the address of
     * a member, 422 for what is no address, 429 for too many.
     */
    async create(caller: Caller, orgId: string, body: CreateInvite): Promise<OrgInvite> {
      const email = readAddress(body.email)
      await checkMayManage(caller, orgId)
      await takeLimits(caller, orgId, email)
      return db.transaction(async (tx) => {
        const { org, role } = await enter(tx, caller, orgId)
        checkManager(role)
        if (await hasMemberWith(tx, orgId, email))
          throw new ApiError(409, 'Whoever has this address is a member already')
        await clearInvites(tx, orgId, email)
        checkSeatToInvite(await seenBy(tx, caller.userId, orgId), seatsOf)
        const id = Bun.randomUUIDv7()
        const invite = await insertInvite(tx, {
          id,
          orgId,
          email,
          role: body.role,
          tokenHash: hashSecret(tokens.link(id)),
          invitedBy: caller.userId,
        })
        await mail(tx, invite, org.name, nameOf(caller.me))
        const details = { invite_id: id, role: body.role }
        await note(tx, 'org.invited', orgId, { by: caller.userId, details })
        return presentInvite(invite, linkTo(invite))
      })
    },

    /** @throws ApiError 403 for whoever may not invite. */
    async list(caller: Caller, orgId: string): Promise<OrgInvite[]> {
      await checkMayManage(caller, orgId)
      const invites = await listOpenInvites(db, orgId)
      return invites.map((invite) => presentInvite(invite, linkTo(invite)))
    },

    /** @throws ApiError 403 for whoever may not invite, 404 for one that does not wait. */
    async withdraw(caller: Caller, orgId: string, inviteId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { role } = await enter(tx, caller, orgId)
        checkManager(role)
        if (!(await deleteInvite(tx, orgId, inviteId))) throw new ApiError(404, 'Invite not found')
        const details = { invite_id: inviteId }
        await note(tx, 'org.invite_withdrawn', orgId, { by: caller.userId, details })
      })
    },

    /**
     * Makes a member of the person whose address was invited. Whoever is one already stays what they
     * are, and the invite is used up.
     * @param mailed proves an address that is not verified yet.
     * @throws ApiError 402 when no seat is left, 403 for another or an unproved address, 409 for too
     * many organizations, 410 for an invite that is used, expired, withdrawn or unknown.
     */
    async accept(caller: Caller, token: string, mailed?: Mailed): Promise<Organization> {
      checkPersonal(caller)
      return db.transaction(async (tx) => {
        const user = await holdCaller(tx, caller)
        const invite = (await findInvite(tx, hashSecret(token)))?.invite
        if (!invite || !isOpen(invite)) throw over()
        await checkAddress(tx, { caller, user, invite }, mailed)
        const { orgId } = invite
        if (!(await lockOrg(tx, orgId)) || !(await takeInvite(tx, invite.id))) throw over()
        if (!(await findRole(tx, orgId, user.id))) await join(tx, user.id, invite)
        return presentOrg(await seenBy(tx, user.id, orgId), seatsOf)
      })
    },

    /** @throws ApiError 410 as `accept`. */
    async decline(token: string): Promise<void> {
      if (!(await declineInvite(db, hashSecret(token)))) throw over()
    },

    /** What an invite is about, for whoever has its link. @returns undefined for an unknown one. */
    async look(
      token: string,
      caller: Caller | undefined,
      proof: string,
    ): Promise<SeenInvite | undefined> {
      const found = await findInvite(db, hashSecret(token))
      if (!found) return undefined
      const { invite, orgName, inviter } = found
      const isMember = caller && (await findRole(db, invite.orgId, caller.userId))
      const isProved = caller?.me.email_verified || tokens.isProof(invite.id, proof)
      const standing = (): Standing => {
        if (isMember) return 'member'
        if (!isOpen(invite)) return 'over'
        if (caller && caller.me.email !== invite.email) return 'other_address'
        return isProved ? 'ready' : 'unproved'
      }
      return {
        orgName: plainName(orgName),
        inviter: inviter ? nameOf(inviter) : undefined,
        email: invite.email,
        role: invite.role,
        standing: standing(),
      }
    },
  }
}

const over = () =>
  new ApiError(410, 'This invitation has expired, was withdrawn, or was answered already')

const isOpen = ({ acceptedAt, expiresAt }: OrgInviteRow): boolean =>
  acceptedAt === null && expiresAt.getTime() > Date.now()

const nameOf = ({ display_name, email }: Pick<Me, 'display_name' | 'email'>): string => {
  const name = plainName(display_name ?? '')
  return name ? `${name} (${email})` : email
}

/** @throws ApiError 422 for what is no address, or one that nobody can have an account with. */
const readAddress = (text: string): string => {
  const email = normalizeEmail(text)
  const fault = emailFault(email)
  if (!fault) return email
  const msg =
    fault === 'malformed'
      ? 'Input should be a valid email address'
      : 'Disposable email addresses are not allowed'
  throw new ApiError(422, [{ loc: ['body', 'email'], type: 'value_error', msg }])
}

/** An organization as one of its members sees it now. */
const seenBy = async (tx: Db, userId: string, orgId: string): Promise<Seen> => {
  const seen = await findOrgOf(tx, userId, orgId)
  if (!seen) throw notOrgMember()
  return seen
}
