import type { CreateInvite, OrgInvite } from '../../../../shared/contract/organizations.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import type { Limiter } from '../../../platform/http/limits.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { plainName } from '../../../platform/text/name.ts'
import { invitesPerRecipient, invitesPerUser } from '../../limits.ts'
import { emailProblem, normalizeEmail } from '../../users/email-address.ts'
import { checkKeyScope, lockOrgAsMember } from '../access.ts'
import { recordOrgAudit } from '../audit.ts'
import { checkManager } from '../roles.ts'
import { checkSeatToInvite, type SeatsOf } from '../seats.ts'
import { findOrgView, findRole, hasMemberWithEmail } from '../store.ts'
import type { OrgInviteRow } from '../table.ts'
import { invitationEmail } from './emails.ts'
import { inviteError } from './errors.ts'
import { displayNameOf, presentInvite } from './present.ts'
import { deleteInvite, deleteReplacedInvites, insertInvite, listOpenInvites } from './store.ts'
import type { InviteTokens } from './token.ts'

interface InviteDeps {
  database: Database
  mailer: Mailer
  limiter: Limiter
  tokens: InviteTokens
  seatsOf: SeatsOf
  baseUrl: string
}

export type InviteService = ReturnType<typeof createInviteService>

/** Lets owners and admins of an organization invite the owner of an email address. */
export const createInviteService = (deps: InviteDeps) => {
  const { mailer, limiter, tokens, seatsOf, baseUrl } = deps
  const { db } = deps.database

  const linkTo = ({ id }: OrgInviteRow): string => `${baseUrl}/invite?token=${tokens.link(id)}`

  const mail = (tx: Db, invite: OrgInviteRow, orgName: string, inviter: string): Promise<void> => {
    const url = `${linkTo(invite)}&proof=${tokens.proof(invite.id)}`
    const email = { to: invite.email, orgName: plainName(orgName), inviter, url }
    return mailer.send(invitationEmail(email), tx)
  }

  /** Limits the emails to one address, and those of one account. */
  const consumeLimits = async ({ userId }: Caller, orgId: string, email: string): Promise<void> => {
    await limiter.consume(invitesPerRecipient, hashSecret(`${orgId.toLowerCase()} ${email}`))
    await limiter.consume(invitesPerUser, userId)
  }

  /** @throws ApiError 403 for a caller who is neither owner nor admin. */
  const checkCallerManages = async (caller: Caller, orgId: string): Promise<void> => {
    checkKeyScope(caller, orgId)
    const role = await findRole(db, orgId, caller.userId)
    if (!role) throw commonError('not_org_member')
    checkManager(role)
  }

  /** @throws ApiError 402 without a free seat, 409 for the address of a member. */
  const insert = async (
    tx: Db,
    { userId: invitedBy }: Caller,
    { orgId, email, role }: Pick<OrgInviteRow, 'orgId' | 'email' | 'role'>,
  ): Promise<OrgInviteRow> => {
    if (await hasMemberWithEmail(tx, orgId, email)) throw inviteError('already_org_member')
    await deleteReplacedInvites(tx, orgId, email)
    const org = await findOrgView(tx, invitedBy, orgId)
    if (!org) throw commonError('not_org_member')
    checkSeatToInvite(org, seatsOf)
    const id = Bun.randomUUIDv7()
    const tokenHash = hashSecret(tokens.link(id))
    return insertInvite(tx, { id, orgId, email, role, tokenHash, invitedBy })
  }

  return {
    /**
     * @throws ApiError 402 without a free seat, 403 for a caller who may not invite, 409 for the address
     * of a member, 422 for an invalid address, 429 for too many invites.
     */
    async create(caller: Caller, orgId: string, body: CreateInvite): Promise<OrgInvite> {
      const email = readAddress(body.email)
      await checkCallerManages(caller, orgId)
      await consumeLimits(caller, orgId, email)
      return db.transaction(async (tx) => {
        const { org, role } = await lockOrgAsMember(tx, caller, orgId)
        checkManager(role)
        const invite = await insert(tx, caller, { orgId, email, role: body.role })
        await mail(tx, invite, org.name, displayNameOf(caller.me))
        const details = { invite_id: invite.id, role: body.role }
        await recordOrgAudit(tx, 'org.invited', orgId, { by: caller.userId, details })
        return presentInvite(invite, linkTo(invite))
      })
    },

    /** @throws ApiError 403 for a caller who may not invite. */
    async list(caller: Caller, orgId: string): Promise<OrgInvite[]> {
      await checkCallerManages(caller, orgId)
      const invites = await listOpenInvites(db, orgId)
      return invites.map((invite) => presentInvite(invite, linkTo(invite)))
    },

    /**
     * @throws ApiError 403 for a caller who may not invite, 404 for an invite that does not exist or is
     * accepted.
     */
    async withdraw(caller: Caller, orgId: string, inviteId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { role } = await lockOrgAsMember(tx, caller, orgId)
        checkManager(role)
        if (!(await deleteInvite(tx, orgId, inviteId))) throw inviteError('invite_not_found')
        const details = { invite_id: inviteId }
        await recordOrgAudit(tx, 'org.invite_withdrawn', orgId, { by: caller.userId, details })
      })
    },
  }
}

/** @throws ApiError 422 for a malformed or disposable address. */
const readAddress = (text: string): string => {
  const email = normalizeEmail(text)
  const problem = emailProblem(email)
  if (problem) throw inviteError('invalid_invite_email', problem)
  return email
}
