import type { Db } from '../platform/db/database.ts'
import { createTextLookUp } from '../platform/dns.ts'
import { createFetcher } from '../platform/fetch/fetcher.ts'
import { createLatest } from '../platform/latest.ts'
import { type Access, createAccess } from './access/access.ts'
import { revokeApprovedLoginsIn } from './access/device/store.ts'
import { deleteKeysIn } from './access/keys/store.ts'
import { deleteConsents, revokeGrantsIn } from './access/oauth-server/store.ts'
import { lockSessionStarts } from './access/sessions/service.ts'
import type { AccountDeps } from './deps.ts'
import { startDomainChecks } from './organizations/domains/checks.ts'
import { createJoinByDomain } from './organizations/domains/join.ts'
import { createOrgDomainService } from './organizations/domains/service.ts'
import { createInviteAcceptanceService } from './organizations/invites/acceptance.ts'
import { createInviteService } from './organizations/invites/service.ts'
import { hasOpenInvite } from './organizations/invites/store.ts'
import { createInviteTokens } from './organizations/invites/token.ts'
import { isOpenedBy } from './organizations/managed.ts'
import { createOrgMemberService } from './organizations/members.ts'
import {
  createEndMembership,
  createLeaveOrgs,
  createReleaseOrgs,
} from './organizations/membership.ts'
import { createOrgPolicyService } from './organizations/policies/service.ts'
import { createOrgService } from './organizations/service.ts'
import { lockOrgsOf } from './organizations/store.ts'
import { createEmailChangeService } from './sign-in/email-change.ts'
import { createEmailVerificationService } from './sign-in/email-verification.ts'
import { createFirstAdminService } from './sign-in/first-admin/service.ts'
import { createSignInGuard } from './sign-in/guard/service.ts'
import { createHandoffService } from './sign-in/handoff/service.ts'
import { revokeHandoffs } from './sign-in/handoff/store.ts'
import { createLinkService } from './sign-in/links/service.ts'
import { revokeLinks } from './sign-in/links/store.ts'
import { startMailedCodeService } from './sign-in/mailed-codes/service.ts'
import { revokeMailedCodes } from './sign-in/mailed-codes/store.ts'
import { createChallengeService } from './sign-in/mfa/challenges.ts'
import { createMfaCodes } from './sign-in/mfa/codes.ts'
import { createMfaService } from './sign-in/mfa/service.ts'
import { countRecoveryCodes, deleteChallenges } from './sign-in/mfa/store.ts'
import { createSignInWithAccount } from './sign-in/oauth/account-sign-in.ts'
import { createConnectionService } from './sign-in/oauth/connections.ts'
import { createProviderSessionService } from './sign-in/oauth/provider-sessions.ts'
import { createProviders, listProviders } from './sign-in/oauth/providers/index.ts'
import { createOAuthSignInService } from './sign-in/oauth/service.ts'
import { createOAuthStates } from './sign-in/oauth/state.ts'
import { hasConnections } from './sign-in/oauth/store.ts'
import { createPasskeyCeremonies } from './sign-in/passkeys/ceremonies.ts'
import { createPasskeyChallenges } from './sign-in/passkeys/challenges.ts'
import { createPasskeyService } from './sign-in/passkeys/service.ts'
import { createPasskeySignInService } from './sign-in/passkeys/sign-in.ts'
import { deletePasskeys, hasPasskeys } from './sign-in/passkeys/store.ts'
import { startPasswordService } from './sign-in/password.ts'
import { createRegistrationService } from './sign-in/registration.ts'
import { createSignInService } from './sign-in/service.ts'
import { createSignUpPolicy } from './sign-in/sign-up-policy.ts'
import { createTakeOver } from './sign-in/take-over.ts'
import { createAuditService } from './users/audit/service.ts'
import { createPasswords } from './users/passwords.ts'
import { startAvatars } from './users/profile/avatars.ts'
import { createProfileService } from './users/profile/service.ts'
import {
  createInstructionService,
  createPreferenceService,
  createQuestionPreference,
  createTimezoneService,
} from './users/settings/service.ts'
import { createIsAdmin } from './users/user.ts'
import { createViewService } from './users/views/service.ts'

export type Account = Awaited<ReturnType<typeof startAccount>>

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
    orgPolicies: createOrgPolicyService({
      database: deps.database,
      listProviders: signIn.listOAuthProviders,
    }),
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

/** Everything that ends in a new session: passwords, mailed links, second factors, OAuth providers. */
const startSignIn = async (
  deps: AccountDeps,
  access: Access,
  { releaseOrgs }: Pick<ReturnType<typeof createOrganizations>, 'releaseOrgs'>,
) => {
  const { database, jobs, limiter, log, mailer, cipher, baseUrl, authSecrets, config } = deps
  const { frontendOrigins, adminEmails } = config
  const defaultTier = () => config.defaultTier
  const sendsMail = () => config.smtpUrl !== undefined
  const { sessions, authentication, tokens, keys } = access
  const hashes = createPasswords(deps.hashing)
  const links = createLinkService(mailer, { baseUrl })
  const guard = createSignInGuard(database)
  const codes = createMfaCodes(cipher)
  const mfa = createMfaService(database, cipher, codes, { guard, sessions })
  const fetcher = createFetcher(deps.fetching)
  const providers = createLatest(
    () => config.oauth,
    (oauth) => createProviders({ oauth, openId: config.openId }, fetcher),
  )
  const providerSessions = createProviderSessionService({
    database,
    sessions,
    cipher,
    providers,
    baseUrl,
    endChallenges: deleteChallenges,
  })
  const challenges = createChallengeService(database, tokens, codes, providerSessions.bind)
  const credentials = { database, sessions, passwords: hashes }
  const signUpPolicy = createSignUpPolicy(() => config.signUp, {
    adminEmails,
    hasInvite: hasOpenInvite,
    canReach: mailer.canReach,
  })
  const registration = createRegistrationService({
    ...credentials,
    links,
    defaultTier,
    policy: signUpPolicy,
  })
  const signIns = createSignInService({ ...credentials, guard, challenges })
  const connections = createConnectionService(database, { hasPasskeys })
  const endCredentials = [
    lockOrgsOf,
    connections.deleteAll,
    keys.revokeAll,
    deletePasskeys,
    deleteConsents,
    // The owner may get a session in the same transaction.
    lockSessionStarts,
  ]
  const takeOver = createTakeOver({
    sessions,
    endings: deps.endings,
    releaseOrgs,
    endCredentials: [...endCredentials, mfa.reset],
  })
  const joinByDomain = createJoinByDomain(config.tiers.seatsOf)
  const ceremonies = createPasskeyCeremonies(baseUrl, createPasskeyChallenges(authSecrets))
  return {
    hashes,
    links,
    resetFactors: async (tx: Db, userId: string) => {
      await mfa.reset(tx, userId)
      await deletePasskeys(tx, userId)
    },
    guard,
    signUpPolicy,
    registration,
    signIns,
    mfa,
    passkeys: createPasskeyService(database, ceremonies, { sessions, hasConnections }),
    passkeySignIns: createPasskeySignInService({
      database,
      ceremonies,
      sessions,
      challenges,
      guard,
      limiter,
    }),
    connections,
    providerSessions,
    backchannelLogout: { providers, providerSessions, log },
    listOAuthProviders: () => listProviders(providers()),
    oauth: createOAuthSignInService({
      database,
      signInWithAccount: createSignInWithAccount(
        database,
        registration,
        signIns,
        providerSessions.record,
        (tx, owner, provider) => isOpenedBy(tx, owner, provider, createIsAdmin(adminEmails)),
      ),
      connections,
      authentication,
      providers,
      states: createOAuthStates(authSecrets),
      baseUrl,
      frontendOrigins,
      log,
    }),
    passwords: startPasswordService({
      ...credentials,
      jobs,
      mailer,
      limiter,
      baseUrl,
      links,
      guard,
      takeOver,
      canRemovePassword: async (tx, userId) =>
        (await hasPasskeys(tx, userId)) && (await countRecoveryCodes(tx, userId)) > 0,
    }),
    sendsMail,
    mailedCodes: startMailedCodeService({
      database,
      jobs,
      mailer,
      limiter,
      links,
      guard,
      signIns,
      takeOver,
      baseUrl,
    }),
    emails: createEmailVerificationService(database, links, limiter, {
      baseUrl,
      adminEmails,
      sendsMail,
      signUpPolicy,
      joinByDomain,
      takeOver,
    }),
    emailChanges: createEmailChangeService({
      ...credentials,
      mailer,
      limiter,
      links,
      guard,
      signUpPolicy,
      joinByDomain,
      endCredentials,
    }),
    handoffs: createHandoffService(database, sessions, {
      frontendOrigins,
      copyProviderSession: providerSessions.copy,
    }),
    admin: await createFirstAdminService(database, {
      baseUrl,
      adminEmails,
      claim: deps.claim,
      sendsMail,
    }),
  }
}
