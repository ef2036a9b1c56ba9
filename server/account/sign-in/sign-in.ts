import type { Db } from '../../platform/db/database.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import { createLatest } from '../../platform/latest.ts'
import type { Access } from '../access/access.ts'
import { deleteConsents } from '../access/oauth-server/store.ts'
import { lockSessionStarts } from '../access/sessions/service.ts'
import type { AccountDeps } from '../deps.ts'
import { createJoinByDomain } from '../organizations/domains/join.ts'
import { hasOpenInvite } from '../organizations/invites/store.ts'
import { isOpenedBy } from '../organizations/managed.ts'
import { lockOrgsOf } from '../organizations/store.ts'
import { createPasswords } from '../users/passwords.ts'
import { createIsAdmin } from '../users/user.ts'
import { createEmailChangeService } from './email-change.ts'
import { createEmailVerificationService } from './email-verification.ts'
import { createFirstAdminService } from './first-admin/service.ts'
import { createSignInGuard } from './guard/service.ts'
import { createHandoffService } from './handoff/service.ts'
import { createLinkService } from './links/service.ts'
import { startMailedCodeService } from './mailed-codes/service.ts'
import { createChallengeService } from './mfa/challenges.ts'
import { createMfaCodes } from './mfa/codes.ts'
import { createMfaService } from './mfa/service.ts'
import { countRecoveryCodes, deleteChallenges } from './mfa/store.ts'
import { createSignInWithAccount } from './oauth/account-sign-in.ts'
import { createConnectionService } from './oauth/connections.ts'
import { createProviderSessionService } from './oauth/provider-sessions.ts'
import { createProviders, listProviders } from './oauth/providers/index.ts'
import { createOAuthSignInService } from './oauth/service.ts'
import { createOAuthStates } from './oauth/state.ts'
import { hasConnections } from './oauth/store.ts'
import { createPasskeyCeremonies } from './passkeys/ceremonies.ts'
import { createPasskeyChallenges } from './passkeys/challenges.ts'
import { createPasskeyService } from './passkeys/service.ts'
import { createPasskeySignInService } from './passkeys/sign-in.ts'
import { deletePasskeys, hasPasskeys } from './passkeys/store.ts'
import { startPasswordService } from './password.ts'
import { createRegistrationService } from './registration.ts'
import { createSignInService } from './service.ts'
import { createSignUpPolicy } from './sign-up-policy.ts'
import { createTakeOver } from './take-over.ts'

/** The providers of sign-ins, and the sessions that they have of users. */
const createProviderServices = (deps: AccountDeps, { sessions }: Access) => {
  const { database, cipher, baseUrl, config } = deps
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
  return {
    providers,
    providerSessions,
    connections: createConnectionService(database, { hasPasskeys }),
    backchannelLogout: { providers, providerSessions, log: deps.log },
    listOAuthProviders: () => listProviders(providers()),
  }
}
type ProviderServices = ReturnType<typeof createProviderServices>

/** Passwords, passkeys and second factors, and the count of wrong ones. */
const createFactors = (
  deps: AccountDeps,
  { sessions, tokens }: Access,
  { providerSessions }: ProviderServices,
) => {
  const { database, cipher, limiter } = deps
  const guard = createSignInGuard(database)
  const codes = createMfaCodes(cipher)
  const mfa = createMfaService(database, cipher, codes, { guard, sessions })
  const challenges = createChallengeService(database, tokens, codes, providerSessions.bind)
  const ceremonies = createPasskeyCeremonies(
    deps.baseUrl,
    createPasskeyChallenges(deps.authSecrets),
  )
  return {
    hashes: createPasswords(deps.hashing),
    guard,
    mfa,
    challenges,
    passkeys: createPasskeyService(database, ceremonies, { sessions, hasConnections }),
    passkeySignIns: createPasskeySignInService({
      database,
      ceremonies,
      sessions,
      challenges,
      guard,
      limiter,
    }),
    resetFactors: async (tx: Db, userId: string) => {
      await mfa.reset(tx, userId)
      await deletePasskeys(tx, userId)
    },
  }
}
type Factors = ReturnType<typeof createFactors>

/** The ways into a session: registration, a password, a provider, a handoff. */
const createSignIns = (
  deps: AccountDeps,
  { sessions, authentication }: Access,
  { hashes, guard, challenges }: Factors,
  { providers, providerSessions, connections }: ProviderServices,
) => {
  const { database, mailer, baseUrl, config } = deps
  const { frontendOrigins, adminEmails } = config
  const credentials = { database, sessions, passwords: hashes }
  const links = createLinkService(mailer, { baseUrl })
  const signUpPolicy = createSignUpPolicy(() => config.signUp, {
    adminEmails,
    hasInvite: hasOpenInvite,
    canReach: mailer.canReach,
  })
  const registration = createRegistrationService({
    ...credentials,
    links,
    defaultTier: () => config.defaultTier,
    policy: signUpPolicy,
  })
  const signIns = createSignInService({ ...credentials, guard, challenges })
  return {
    links,
    signUpPolicy,
    registration,
    signIns,
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
      states: createOAuthStates(deps.authSecrets),
      baseUrl,
      frontendOrigins,
      log: deps.log,
    }),
    handoffs: createHandoffService(database, sessions, {
      frontendOrigins,
      copyProviderSession: providerSessions.copy,
    }),
  }
}
type SignIns = ReturnType<typeof createSignIns>

/** Mailed links and codes, and changes of the password and the address, which prove or move an account. */
const startProofs = (
  deps: AccountDeps,
  { sessions, keys }: Access,
  {
    hashes,
    guard,
    mfa,
    links,
    signUpPolicy,
    signIns,
    connections,
    releaseOrgs,
  }: Factors & SignIns & Pick<ProviderServices, 'connections'> & Releasing,
) => {
  const { database, jobs, limiter, mailer, baseUrl, config } = deps
  const { adminEmails } = config
  const sendsMail = () => config.smtpUrl !== undefined
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
  const credentials = { database, sessions, passwords: hashes }
  const mailing = { database, jobs, mailer, limiter, links, guard, takeOver, baseUrl }
  return {
    sendsMail,
    passwords: startPasswordService({
      ...credentials,
      ...mailing,
      canRemovePassword: async (tx, userId) =>
        (await hasPasskeys(tx, userId)) && (await countRecoveryCodes(tx, userId)) > 0,
    }),
    mailedCodes: startMailedCodeService({ ...mailing, signIns }),
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
  }
}

interface Releasing {
  /** Passes the organizations of a taken-over account to other members. */
  releaseOrgs: Parameters<typeof createTakeOver>[0]['releaseOrgs']
}

/** Everything that ends in a new session: passwords, mailed links, second factors, OAuth providers. */
export const startSignIn = async (
  deps: AccountDeps,
  access: Access,
  { releaseOrgs }: Releasing,
) => {
  const providing = createProviderServices(deps, access)
  const factors = createFactors(deps, access, providing)
  const entries = createSignIns(deps, access, factors, providing)
  const { connections } = providing
  const proofs = startProofs(deps, access, { ...factors, ...entries, connections, releaseOrgs })
  const { baseUrl, claim, config } = deps
  return {
    ...providing,
    ...factors,
    ...entries,
    ...proofs,
    admin: await createFirstAdminService(deps.database, {
      baseUrl,
      adminEmails: config.adminEmails,
      claim,
      sendsMail: proofs.sendsMail,
    }),
  }
}
