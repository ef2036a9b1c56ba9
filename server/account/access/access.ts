import type { ProviderMetadata } from '../../../shared/contract/oauth-metadata.ts'
import { createCipher } from '../../platform/cipher.ts'
import { createFetcher } from '../../platform/fetch/fetcher.ts'
import type { AccountDeps } from '../deps.ts'
import { createJoinByDomain } from '../organizations/domains/join.ts'
import { createIsAdmin } from '../users/user.ts'
import { createDeviceApprovalService } from './device/approval.ts'
import { createDeviceLoginService } from './device/service.ts'
import { revokeApprovedLogins } from './device/store.ts'
import { createKeyService } from './keys/service.ts'
import { createAllowedClients } from './oauth-server/allowed-clients.ts'
import { createAppConsents } from './oauth-server/app-consents.ts'
import { createClientFinder } from './oauth-server/clients.ts'
import { createConsentService } from './oauth-server/consent.ts'
import { createAppList, createGrantAuthentication } from './oauth-server/grants.ts'
import { createManagedClients } from './oauth-server/managed-clients.ts'
import { serverMetadata } from './oauth-server/metadata.ts'
import { createClientRegistrationService } from './oauth-server/registration.ts'
import { resourcesOf } from './oauth-server/scopes.ts'
import { revokeCodes } from './oauth-server/store.ts'
import { createTokenEndpoint } from './oauth-server/token-endpoint.ts'
import { createGrantTokens } from './oauth-server/tokens.ts'
import { createAuthenticationService } from './sessions/authentication.ts'
import { createImpersonationService } from './sessions/impersonation.ts'
import { createSessionList } from './sessions/list.ts'
import { createSessionService, type SessionDeps } from './sessions/service.ts'
import { ACCESS_TOKEN_SECONDS, createTokens } from './sessions/tokens.ts'
import { createAccessTokens } from './signing-keys/access-tokens.ts'
import { openKeyring } from './signing-keys/keyring.ts'
import { createSigningKeyService } from './signing-keys/service.ts'
import { sealedSigningKeys } from './signing-keys/table.ts'

/**
 * Sessions, API keys, device logins, and the authorization server of apps and of the MCP endpoint.
 * @param revokePending end the sign-ins that have begun when all sessions of a user end.
 */
export const createAccess = async (
  deps: AccountDeps,
  revokePending: SessionDeps['revokePending'],
) => {
  const { database, limiter, authSecrets, baseUrl, config } = deps
  const { accessTokens, ...signing } = await startSigning(deps)
  const isAdmin = createIsAdmin(config.adminEmails)
  const tokens = createTokens(authSecrets, baseUrl, accessTokens)
  const sessions = createSessionService({
    database,
    tokens,
    revokePending: [revokeApprovedLogins, revokeCodes, ...revokePending],
    joinByDomain: createJoinByDomain(config.tiers.seatsOf),
  })
  const keys = createKeyService(database, isAdmin)
  const server = { issuer: baseUrl, resources: resourcesOf(deps, deps.openId) }
  const grantTokens = createGrantTokens(authSecrets, server, accessTokens)
  const fetcher = createFetcher(deps.fetching)
  const clients = createClientFinder(database, { fetcher, limiter })
  return {
    ...signing,
    tokens,
    sessions,
    impersonations: createImpersonationService(tokens),
    sessionList: createSessionList(database, sessions),
    authentication: createAuthenticationService(database, tokens, isAdmin),
    keys,
    deviceLogins: createDeviceLoginService({ database, keys, sessions, limiter, baseUrl }),
    deviceApprovals: createDeviceApprovalService(database, limiter),
    clientRegistrations: createClientRegistrationService(database, limiter),
    managedClients: createManagedClients(database),
    allowedClients: createAllowedClients(database),
    consents: createConsentService({ database, clients, limiter, openId: deps.openId, ...server }),
    appConsents: createAppConsents(database),
    tokenEndpoint: createTokenEndpoint({
      database,
      sessions,
      keys,
      limiter,
      openId: deps.openId,
      tokens: grantTokens,
      resources: server.resources,
    }),
    oauthClients: clients,
    serverMetadata: (): ProviderMetadata =>
      serverMetadata(baseUrl, server.resources, deps.openId()),
    apps: createAppList(database),
    grants: createGrantAuthentication(database, grantTokens, { sessions, keys }, isAdmin),
  }
}

/** The keys of access tokens. */
const startSigning = async ({ database, log, authSecrets }: AccountDeps) => {
  const cipher = createCipher(authSecrets, sealedSigningKeys.purpose)
  const keyring = await openKeyring({ database, cipher, log })
  return {
    keyring,
    accessTokens: createAccessTokens(keyring),
    signingKeys: createSigningKeyService(database, cipher, {
      keyring,
      tokenSeconds: ACCESS_TOKEN_SECONDS,
    }),
  }
}

export type Access = Awaited<ReturnType<typeof createAccess>>
