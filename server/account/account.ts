import type { Blobs } from '../platform/blobs.ts'
import { createFetcher } from '../platform/fetch/fetcher.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Surroundings } from '../surroundings.ts'
import { createAdminService } from './admin/service.ts'
import { createAuditService } from './audit/service.ts'
import { createAuthorizationService } from './authorization/service.ts'
import { createGrantTokens } from './authorization/tokens.ts'
import { createDeviceService } from './device/service.ts'
import { createEmailService } from './email/service.ts'
import { createHandoffService } from './handoff/service.ts'
import { createInstructionService } from './instructions/service.ts'
import { createKeyService } from './keys/service.ts'
import { createLinkService } from './links/service.ts'
import type { Cipher } from './mfa/cipher.ts'
import { createMfaService } from './mfa/service.ts'
import { createProviders } from './oauth/providers/index.ts'
import { createOAuthService } from './oauth/service.ts'
import { createOAuthStates } from './oauth/state.ts'
import { startPasswordService } from './password/service.ts'
import { createPreferenceService } from './preferences/service.ts'
import { startAvatars } from './profile/avatars.ts'
import { createProfileService } from './profile/service.ts'
import { startSignInGuard } from './sessions/guard.ts'
import { createSessionList } from './sessions/list.ts'
import { createSessionService } from './sessions/service.ts'
import { createTokens } from './sessions/tokens.ts'
import { createTimezoneService } from './timezones/service.ts'
import { adminsAmong } from './users/admin.ts'
import { createPasswords } from './users/passwords.ts'

export type Account = Awaited<ReturnType<typeof startAccount>>

/** Starts who people are and how they sign in: all but the end of an account, which every domain is part of. */
export const startAccount = async (
  surroundings: Surroundings,
  {
    mailer,
    blobs,
    cipher,
    mcpUrl,
  }: {
    mailer: Mailer
    blobs: Blobs
    cipher: Cipher /** What tokens given over MCP are for. */
    mcpUrl: string
  },
) => {
  const { config, baseUrl, database, jobs, limits, log, fetching, hashing, authSecret } =
    surroundings
  const { frontendOrigins, adminEmails, defaultTier } = config
  const isAdmin = adminsAmong(adminEmails)
  const tokens = createTokens(authSecret, baseUrl)
  const hashes = createPasswords(hashing)
  const links = createLinkService(mailer, { baseUrl })
  const guard = await startSignInGuard(database, jobs)
  const mfa = createMfaService(database, cipher, tokens, guard)
  const sessions = createSessionService({
    database,
    tokens,
    passwords: hashes,
    links,
    guard,
    mfa,
    defaultTier,
    isAdmin,
  })
  const keys = createKeyService(database, { isAdmin })
  const oauth = createOAuthService({
    database,
    sessions,
    providers: createProviders(config.oauth),
    states: createOAuthStates(authSecret),
    baseUrl,
    frontendOrigins,
    log,
  })
  const passwords = await startPasswordService({
    database,
    jobs,
    mailer,
    limits,
    baseUrl,
    links,
    sessions,
    passwords: hashes,
    disown: [keys.revokeAll, mfa.forget, oauth.forgetAll],
  })
  return {
    hashes,
    guard,
    sessions,
    sessionList: createSessionList(database, sessions),
    mfa,
    audit: createAuditService(database),
    admin: await createAdminService(database, { baseUrl, adminEmails }),
    emails: createEmailService(database, links, limits),
    passwords,
    keys,
    authorization: createAuthorizationService({
      database,
      sessions,
      tokens: createGrantTokens(authSecret, { issuer: baseUrl, resource: mcpUrl }),
      fetcher: createFetcher(fetching),
      limits,
      isAdmin,
      issuer: baseUrl,
      resource: mcpUrl,
    }),
    devices: createDeviceService(database, keys, sessions, limits, { baseUrl }),
    handoffs: createHandoffService(database, sessions, { frontendOrigins }),
    oauth,
    profiles: createProfileService(database, await startAvatars(blobs, jobs)),
    preferences: createPreferenceService(database),
    instructions: createInstructionService(database),
    timezones: createTimezoneService(database),
  }
}
