import type { AppDeps } from '../deps.ts'
import type { Blobs } from '../platform/blobs.ts'
import type { Cipher } from '../platform/cipher.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { startCredentials } from './credentials.ts'
import type { EraseOrgData } from './organizations/membership.ts'
import { createOrganizations } from './organizations.ts'
import { createEmailVerificationService } from './sign-in/email-verification.ts'
import { createFirstAdminService } from './sign-in/first-admin/service.ts'
import { createLinkService } from './sign-in/links/service.ts'
import { createAuditService } from './users/audit/service.ts'
import { createInstructionService } from './users/instructions/service.ts'
import { createPreferenceService } from './users/preferences/service.ts'
import { startAvatars } from './users/profile/avatars.ts'
import { createProfileService } from './users/profile/service.ts'
import { createTimezoneService } from './users/timezones/service.ts'

export type Account = Awaited<ReturnType<typeof startAccount>>

interface AccountDeps {
  mailer: Mailer
  blobs: Blobs
  cipher: Cipher
  /** The URL of the MCP endpoint, the audience of the tokens of OAuth clients. */
  mcpUrl: string
  /** Erases the data that other domains store for an organization. */
  eraseOrgData: EraseOrgData
}

/**
 * Starts accounts and organizations. The deletion of accounts is separate, because it needs every domain.
 */
export const startAccount = async (deps: AppDeps, parts: AccountDeps) => {
  const { config, baseUrl, database, jobs, limiter } = deps
  const { mailer, blobs } = parts
  const links = createLinkService(mailer, { baseUrl })
  const emails = createEmailVerificationService(database, links, limiter)
  return {
    ...(await startCredentials({ ...deps, ...parts, links })),
    ...createOrganizations({ ...deps, ...parts, emails, seatsOf: config.tiers.seatsOf }),
    emails,
    audit: createAuditService(database),
    admin: await createFirstAdminService(database, {
      baseUrl,
      adminEmails: config.adminEmails,
      offersLink: config.role === 'all',
      sendsMail: config.smtpUrl !== undefined,
    }),
    profiles: createProfileService(database, startAvatars(blobs, jobs), deps.images),
    preferences: createPreferenceService(database),
    instructions: createInstructionService(database),
    timezones: createTimezoneService(database),
  }
}
