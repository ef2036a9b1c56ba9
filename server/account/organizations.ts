import type { Database } from '../platform/db/database.ts'
import type { Limiter } from '../platform/http/limits.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { revokeApprovedLoginsIn } from './access/device/store.ts'
import { deleteKeysIn } from './access/keys/store.ts'
import { revokeGrantsIn } from './access/oauth-server/store.ts'
import { createInviteAnswerService } from './organizations/invites/acceptance.ts'
import { createInviteService } from './organizations/invites/service.ts'
import { createInviteTokens } from './organizations/invites/token.ts'
import { createOrgMemberService } from './organizations/members.ts'
import {
  createEndMembership,
  createLeaveOrgs,
  type EraseOrgData,
} from './organizations/membership.ts'
import type { SeatsOf } from './organizations/seats.ts'
import { createOrgService } from './organizations/service.ts'
import type { EmailVerificationService } from './sign-in/email-verification.ts'

interface OrganizationDeps {
  database: Database
  limiter: Limiter
  authSecret: string
  baseUrl: string
  seatsOf: SeatsOf
  mailer: Mailer
  emails: EmailVerificationService
  eraseOrgData: EraseOrgData
}

/** Creates the services of organizations and invites. */
export const createOrganizations = (deps: OrganizationDeps) => {
  const { database, limiter, authSecret, baseUrl, seatsOf, mailer, emails, eraseOrgData } = deps
  const tokens = createInviteTokens(authSecret)
  const endMembership = createEndMembership([deleteKeysIn, revokeGrantsIn, revokeApprovedLoginsIn])
  return {
    orgs: createOrgService(database, { seatsOf, eraseData: eraseOrgData }),
    orgMembers: createOrgMemberService(database, endMembership),
    leaveOrgs: createLeaveOrgs(eraseOrgData, endMembership),
    invites: createInviteService({ database, mailer, limiter, tokens, seatsOf, baseUrl }),
    inviteAnswers: createInviteAnswerService({ database, emails, tokens, seatsOf }),
  }
}
