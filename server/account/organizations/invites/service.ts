import type { CreateInvite, OrgInvite } from '../../../../shared/contract/organization-invites.ts'
import type { Me } from '../../../../shared/contract/sessions.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { defineLimit, HOUR_SECONDS, type Limiter } from '../../../platform/http/limits.ts'
import { type Mail, type Mailer, renderEmail } from '../../../platform/mail/mailer.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { plainName } from '../../../platform/text/name.ts'
import { type EmailProblem, emailProblem, normalizeEmail } from '../../users/email-address.ts'
import { checkCallerManages, checkManager, lockOrgAsMember, recordOrgAudit } from '../rights.ts'
import { checkSeatToInvite, type SeatsOf } from '../seats.ts'
import { findSeatUse, hasMemberWithEmail } from '../store.ts'
import type { OrgInviteRow, OrgRow } from '../table.ts'
import { deleteInvite, deleteReplacedInvites, insertInvite, listOpenInvites } from './store.ts'
import type { InviteTokens } from './token.ts'

const ADDRESS_PROBLEMS: Record<EmailProblem, string> = {
  malformed: 'Input should be a valid email address',
  disposable: 'Disposable email addresses are not allowed',
}

export const inviteError = defineErrors({
  invalid_invite_email: (problem: EmailProblem) => ({
    status: 422,
    detail: [{ loc: ['body', 'email'], type: 'value_error', msg: ADDRESS_PROBLEMS[problem] }],
  }),
  already_org_member: { status: 409, detail: 'A member already has this email address' },
  invite_not_found: { status: 404, detail: 'Invite not found' },
  invite_not_open: {
    status: 410,
    detail: 'This invitation has expired, was withdrawn, or was answered already',
  },
  invite_for_other_address: {
    status: 403,
    detail: 'This invitation is for another email address',
  },
})

/** Invitations of one organization to one email address. */
export const invitesPerRecipient = defineLimit({
  name: 'invites_per_recipient',
  per: 'text',
  points: 20,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many links mailed',
})
export const invitesPerUser = defineLimit({
  name: 'invites_per_user',
  per: 'user',
  points: 100,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many invites sent',
})

interface InviteDeps {
  database: Database
  mailer: Mailer
  limiter: Limiter
  tokens: InviteTokens
  seatsOf: SeatsOf
  baseUrl: string
}

/** Lets owners and admins of an organization invite the owner of an email address. */
export type InviteService = ReturnType<typeof createInviteService>

export const createInviteService = (deps: InviteDeps) => {
  const { mailer, limiter, tokens, seatsOf, baseUrl } = deps
  const { db } = deps.database

  const linkTo = (invite: OrgInviteRow): string =>
    `${baseUrl}/invite?token=${tokens.linkOf(invite)}`

  const mail = (tx: Db, invite: OrgInviteRow, orgName: string, inviter: string): Promise<void> => {
    const url = `${linkTo(invite)}&proof=${tokens.proof(invite.id)}`
    const email = { to: invite.email, orgName: plainName(orgName), inviter, url }
    return mailer.send(invitationEmail(email), tx)
  }

  /** @throws ApiError 402 without a free seat. */
  const insert = async (
    tx: Db,
    invite: Pick<OrgInviteRow, 'orgId' | 'email' | 'role' | 'invitedBy'>,
  ): Promise<OrgInviteRow> => {
    await deleteReplacedInvites(tx, invite.orgId, invite.email)
    const seats = await findSeatUse(tx, invite.orgId)
    if (seats) checkSeatToInvite(seats, seatsOf)
    const id = Bun.randomUUIDv7()
    return insertInvite(tx, { ...invite, id, tokenHash: hashSecret(tokens.link(id)) })
  }

  return {
    /**
     * @throws ApiError 402 without a free seat, 403 for a caller who may not invite, 409 for the address
     * of a member, 422 for an invalid address, 429 for too many invites.
     */
    async create(caller: Caller, orgId: string, body: CreateInvite): Promise<OrgInvite> {
      const email = readAddress(body.email)
      await checkCallerManages(db, caller, orgId)
      await consumeInviteLimits(limiter, caller.userId, orgId, email)
      return db.transaction(async (tx) => {
        const { org, role } = await lockOrgAsMember(tx, caller, orgId)
        checkManager(role)
        if (await hasMemberWithEmail(tx, orgId, email)) throw inviteError('already_org_member')
        const invitedBy = caller.userId
        const invite = await insert(tx, { orgId, email, role: body.role, invitedBy })
        await mail(tx, invite, org.name, displayNameOf(caller.me))
        const details = { invite_id: invite.id, role: body.role }
        await recordOrgAudit(tx, 'org.invited', orgId, { by: caller.userId, details })
        return presentInvite(invite, linkTo(invite))
      })
    },

    /** @throws ApiError 403 for a caller who may not invite. */
    async list(caller: Caller, orgId: string): Promise<OrgInvite[]> {
      await checkCallerManages(db, caller, orgId)
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

    /**
     * Invites an address as member, for the identity provider of an organization that is locked.
     * @throws ApiError 402 without a free seat.
     */
    async provision(tx: Db, org: OrgRow, email: string): Promise<OrgInviteRow> {
      const invite = await insert(tx, { orgId: org.id, email, role: 'member', invitedBy: null })
      await mail(tx, invite, org.name, 'An administrator')
      return invite
    },
  }
}

/** Limits the emails to one address, and those of one account. */
export const consumeInviteLimits = async (
  limiter: Limiter,
  inviter: string,
  orgId: string,
  email: string,
): Promise<void> => {
  await limiter.consume(invitesPerRecipient, hashSecret(`${orgId.toLowerCase()} ${email}`))
  await limiter.consume(invitesPerUser, inviter)
}

/** @throws ApiError 422 for a malformed or disposable address. */
const readAddress = (text: string): string => {
  const email = normalizeEmail(text)
  const problem = emailProblem(email)
  if (problem) throw inviteError('invalid_invite_email', problem)
  return email
}

const presentInvite = (invite: OrgInviteRow, url: string): OrgInvite => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
  invite_url: url,
})

/** Name and address of an inviter. */
export const displayNameOf = ({
  display_name,
  email,
}: Pick<Me, 'display_name' | 'email'>): string => {
  const name = plainName(display_name ?? '')
  return name ? `${name} (${email})` : email
}

interface Invitation {
  to: string
  orgName: string
  /** Name and address of the user who invites. */
  inviter: string
  url: string
}

const invitationEmail = ({ to, orgName, inviter, url }: Invitation): Mail =>
  renderEmail({
    to,
    subject: `Invitation to join ${orgName}`,
    paragraphs: [
      'Hello,',
      `${inviter} invites you to join the organization “${orgName}”, whose members share memories.`,
    ],
    link: { label: 'View the invitation', url },
    footer:
      'The link works once, for this address only, and expires after 7 days. If you do not know the sender, ignore this email; you do not join unless you accept.',
  })
