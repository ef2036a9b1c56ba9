import { createTextLookUp } from '../platform/dns.ts'
import { createAccess } from './access/access.ts'
import { revokeApprovedLoginsIn } from './access/device/store.ts'
import { deleteKeysIn } from './access/keys/store.ts'
import { revokeGrantsIn } from './access/oauth-server/store.ts'
import type { AccountDeps } from './deps.ts'
import { createDirectoryMembers } from './organizations/directory-members.ts'
import { startDomainChecks } from './organizations/domains/checks.ts'
import { createOrgDomainService } from './organizations/domains/service.ts'
import { createInviteAcceptanceService } from './organizations/invites/acceptance.ts'
import { createInviteService } from './organizations/invites/service.ts'
import { createInviteTokens } from './organizations/invites/token.ts'
import { createOrgMemberService } from './organizations/members.ts'
import {
  createEndMembership,
  createLeaveOrgs,
  createReleaseOrgs,
} from './organizations/membership.ts'
import { createOrgPolicyService } from './organizations/policies/service.ts'
import { createOrgService } from './organizations/service.ts'
import { revokeHandoffs } from './sign-in/handoff/store.ts'
import { revokeLinks } from './sign-in/links/store.ts'
import { revokeMailedCodes } from './sign-in/mailed-codes/store.ts'
import { deleteChallenges } from './sign-in/mfa/store.ts'
import { startSignIn } from './sign-in/sign-in.ts'
import { createAuditService } from './users/audit/service.ts'
import { startAvatars } from './users/profile/avatars.ts'
import { createProfileService } from './users/profile/service.ts'
import {
  createInstructionService,
  createPreferenceService,
  createQuestionPreference,
  createTimezoneService,
} from './users/settings/service.ts'
import { createViewService } from './users/views/service.ts'

export type AccountServices = Awaited<ReturnType<typeof startAccount>>

/**
 * Starts the groups of accounts, the lowest first. The deletion of accounts is separate, because it needs
 * every domain.
 */
export const startAccount = async (deps: AccountDeps) => {
  const access = await createAccess(deps, [
    deleteChallenges,
    revokeHandoffs,
    revokeLinks,
    revokeMailedCodes,
  ])
  const organizations = createOrganizations(deps)
  const signIn = await startSignIn(deps, access, organizations)
  return {
    ...signIn,
    orgPolicies: createOrgPolicyService(deps.database),
    ...access,
    ...organizations,
    ...(await startOrgDomains(deps)),
    ...createUsers(deps),
  }
}

const createUsers = ({ database, blobs, jobs, images }: AccountDeps) => ({
  audit: createAuditService(database),
  profiles: createProfileService(database, startAvatars(blobs, jobs), images),
  preferences: createPreferenceService(database),
  questionPreference: createQuestionPreference(database),
  views: createViewService(database),
  instructions: createInstructionService(database),
  timezones: createTimezoneService(database),
})

const createOrganizations = (deps: AccountDeps) => {
  const {
    database,
    limiter,
    authSecrets,
    baseUrl,
    mailer,
    endings,
    orgsWrittenFor,
    onInviteAccepted,
  } = deps
  const { seatsOf } = deps.config.tiers
  const tokens = createInviteTokens(authSecrets)
  const endMembership = createEndMembership([deleteKeysIn, revokeGrantsIn, revokeApprovedLoginsIn])
  return {
    endMembership,
    orgs: createOrgService(database, { seatsOf, eraseData: endings.org }),
    orgMembers: createOrgMemberService(database, endMembership),
    directoryMembers: createDirectoryMembers(seatsOf, endMembership),
    releaseOrgs: createReleaseOrgs(endMembership, endings.releasedOrg),
    leaveOrgs: createLeaveOrgs(endings.org, endMembership, orgsWrittenFor),
    invites: createInviteService({ database, mailer, limiter, tokens, seatsOf, baseUrl }),
    inviteAcceptance: createInviteAcceptanceService({
      database,
      tokens,
      seatsOf,
      onInviteAccepted,
    }),
  }
}

const startOrgDomains = async ({ database, jobs, limiter, fetching }: AccountDeps) => {
  const lookUpText = createTextLookUp(fetching)
  await startDomainChecks({ database, jobs, lookUpText })
  return { orgDomains: createOrgDomainService({ database, limiter, lookUpText }) }
}
