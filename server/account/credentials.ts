import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import type { TierName } from '../../shared/tiers.ts'
import type { Cipher } from '../platform/cipher.ts'
import type { Database } from '../platform/db/database.ts'
import { createFetcher, type FetcherOptions } from '../platform/fetch/fetcher.ts'
import type { Limiter } from '../platform/http/limits.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { createDeviceApprovalService } from './access/device/approval.ts'
import { createDeviceLoginService } from './access/device/service.ts'
import { revokeApprovedLogins } from './access/device/store.ts'
import { createKeyService } from './access/keys/service.ts'
import { createConsentService } from './access/oauth-server/consent.ts'
import { createAppList, createGrantAuthentication } from './access/oauth-server/grants.ts'
import { createClientRegistrationService } from './access/oauth-server/registration.ts'
import { revokeCodes } from './access/oauth-server/store.ts'
import { createTokenEndpoint } from './access/oauth-server/token-endpoint.ts'
import { createGrantTokens } from './access/oauth-server/tokens.ts'
import { createAuthenticationService } from './access/sessions/authentication.ts'
import { createSessionList } from './access/sessions/list.ts'
import { createSessionService, type SessionService } from './access/sessions/service.ts'
import { createTokens } from './access/sessions/tokens.ts'
import { createSignInGuard } from './sign-in/guard/service.ts'
import { createHandoffService } from './sign-in/handoff/service.ts'
import { revokeHandoffs } from './sign-in/handoff/store.ts'
import type { LinkService } from './sign-in/links/service.ts'
import { revokeLinks } from './sign-in/links/store.ts'
import { createChallengeService } from './sign-in/mfa/challenges.ts'
import { createMfaCodes } from './sign-in/mfa/codes.ts'
import { createMfaService } from './sign-in/mfa/service.ts'
import { deleteChallenges } from './sign-in/mfa/store.ts'
import { createSignInWithAccount } from './sign-in/oauth/account-sign-in.ts'
import { createConnectionService } from './sign-in/oauth/connections.ts'
import { createProviders, listProviders } from './sign-in/oauth/providers/index.ts'
import type { OAuthProviderSettings } from './sign-in/oauth/providers/provider.ts'
import { createOAuthSignInService } from './sign-in/oauth/service.ts'
import { createOAuthStates } from './sign-in/oauth/state.ts'
import { startPasswordService } from './sign-in/password.ts'
import { createRegistrationService } from './sign-in/registration.ts'
import { createSignInService } from './sign-in/service.ts'
import { createPasswords, type HashingCost } from './users/passwords.ts'
import { createIsAdmin, type IsAdmin } from './users/user.ts'

interface CredentialDeps {
  database: Database
  jobs: Jobs
  limiter: Limiter
  log: Log
  mailer: Mailer
  cipher: Cipher
  links: LinkService
  fetching: FetcherOptions
  hashing: HashingCost | undefined
  authSecret: string
  baseUrl: string
  /** The URL of the MCP endpoint. */
  mcpUrl: string
  config: {
    frontendOrigins: readonly string[]
    adminEmails: string[]
    defaultTier: TierName
    oauth: Record<OAuthProvider, OAuthProviderSettings | undefined>
  }
}

/** Starts all that signs users in and authenticates requests. */
export const startCredentials = async (deps: CredentialDeps) => {
  const { baseUrl, database, jobs, limiter, log, hashing, authSecret } = deps
  const { mailer, cipher, links, config } = deps
  const { frontendOrigins, defaultTier } = config
  const isAdmin = createIsAdmin(config.adminEmails)
  const tokens = createTokens(authSecret, baseUrl)
  const hashes = createPasswords(hashing)
  const guard = createSignInGuard(database)
  const codes = createMfaCodes(cipher)
  const mfa = createMfaService(database, cipher, codes, guard)
  const challenges = createChallengeService(database, tokens, codes)
  const sessions = createSessionService({
    database,
    tokens,
    revokePending: [
      deleteChallenges,
      revokeApprovedLogins,
      revokeCodes,
      revokeHandoffs,
      revokeLinks,
    ],
  })
  const registration = createRegistrationService({
    database,
    sessions,
    passwords: hashes,
    links,
    defaultTier,
  })
  const signIns = createSignInService({ database, sessions, passwords: hashes, guard, challenges })
  const connections = createConnectionService(database)
  const keys = createKeyService(database, isAdmin)
  const providers = createProviders(config.oauth)
  const authentication = createAuthenticationService(database, tokens, isAdmin)
  return {
    hashes,
    guard,
    sessions,
    authentication,
    sessionList: createSessionList(database, sessions),
    registration,
    signIns,
    mfa,
    keys,
    connections,
    oauthProviders: listProviders(providers),
    oauth: createOAuthSignInService({
      database,
      signInWithAccount: createSignInWithAccount(database, registration, signIns),
      connections,
      authentication,
      providers,
      states: createOAuthStates(authSecret),
      baseUrl,
      frontendOrigins,
      log,
    }),
    passwords: await startPasswordService({
      database,
      jobs,
      mailer,
      limiter,
      baseUrl,
      links,
      sessions,
      guard,
      passwords: hashes,
      revokeCredentials: [connections.deleteAll, keys.revokeAll, mfa.reset],
    }),
    ...createOAuthServer(deps, sessions, isAdmin),
    deviceLogins: createDeviceLoginService({ database, keys, sessions, limiter, baseUrl }),
    deviceApprovals: createDeviceApprovalService(database, limiter),
    handoffs: createHandoffService(database, sessions, { frontendOrigins }),
  }
}

/** Creates the authorization server of the MCP endpoint (OAuth 2.1). */
const createOAuthServer = (
  { baseUrl: issuer, mcpUrl: resource, database, limiter, fetching, authSecret }: CredentialDeps,
  sessions: SessionService,
  isAdmin: IsAdmin,
) => {
  const tokens = createGrantTokens(authSecret, { issuer, resource })
  const fetcher = createFetcher(fetching)
  return {
    clientRegistrations: createClientRegistrationService(database, limiter),
    consents: createConsentService({ database, fetcher, limiter, issuer, resource }),
    tokenEndpoint: createTokenEndpoint({ database, sessions, tokens, resource }),
    apps: createAppList(database),
    grants: createGrantAuthentication(database, tokens, sessions, isAdmin),
  }
}
