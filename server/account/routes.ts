import type { Limiter } from '../platform/http/limits.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import type { Account } from './account.ts'
import { auditRoutes } from './audit/routes.ts'
import { consoleSignInPages } from './console-sign-in/pages.ts'
import { devicePages } from './device/pages.ts'
import { deviceRoutes } from './device/routes.ts'
import { emailVerificationPages } from './email-verification/pages.ts'
import { emailVerificationRoutes } from './email-verification/routes.ts'
import { firstAdminPages } from './first-admin/pages.ts'
import { handoffRoutes } from './handoff/routes.ts'
import { instructionRoutes } from './instructions/routes.ts'
import { invitePages } from './invites/pages.ts'
import { inviteRoutes } from './invites/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { mfaRoutes } from './mfa/routes.ts'
import { appRoutes } from './oauth-server/app-routes.ts'
import { oauthServerPages } from './oauth-server/pages.ts'
import { oauthServerRoutes } from './oauth-server/routes.ts'
import { oauthSignInPages } from './oauth-sign-in/pages.ts'
import { oauthSignInRoutes } from './oauth-sign-in/routes.ts'
import { orgMemberRoutes, orgRoutes } from './organizations/routes.ts'
import { passwordPages } from './password/pages.ts'
import { passwordRoutes } from './password/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'

interface ServeAccountDeps {
  baseUrl: string
  /** The URL of the MCP endpoint. */
  mcpUrl: string
  limiter: Limiter
}

export const serveAccount = (mounts: Mounts, account: Account, deps: ServeAccountDeps): void => {
  mountEndpoints(mounts, account, deps)
  mountPages(mounts, account, deps)
}

const mountEndpoints = (
  { mount, mountRaw }: Mounts,
  account: Account,
  { baseUrl, mcpUrl }: ServeAccountDeps,
): void => {
  signInRoutes(mount, account.registration, account.signIns)
  sessionRoutes(mount, account.sessions, account.sessionList)
  mfaRoutes(mount, account.mfa)
  auditRoutes(mount, account.audit)
  passwordRoutes(mount, account.passwords)
  emailVerificationRoutes(mount, account.emails)
  keyRoutes(mount, account.keys)
  deviceRoutes(mount, account.deviceLogins, account.deviceApprovals)
  handoffRoutes(mount, account.handoffs)
  oauthSignInRoutes(mount, account.oauth, account.connections, account.oauthProviders)
  profileRoutes(mount, account.profiles)
  preferenceRoutes(mount, account.preferences)
  instructionRoutes(mount, account.instructions)
  orgRoutes(mount, account.orgs)
  orgMemberRoutes(mount, account.orgMembers)
  inviteRoutes(mount, account.invites, account.inviteAnswers)
  appRoutes(mount, account.apps)
  oauthServerRoutes(mountRaw, account.clientRegistrations, account.tokenEndpoint, {
    baseUrl,
    resource: mcpUrl,
  })
}

const mountPages = (
  { mountPage }: Mounts,
  account: Account,
  { limiter }: ServeAccountDeps,
): void => {
  const { registration, signIns, sessions, authentication, oauthProviders: providers } = account
  const signInDeps = { registration, signIns, sessions, authentication, limiter, providers }
  passwordPages(mountPage, account.passwords, limiter)
  emailVerificationPages(mountPage, account.emails)
  firstAdminPages(mountPage, account.admin, signInDeps)
  oauthSignInPages(mountPage, account.oauth, signIns)
  oauthServerPages(mountPage, account.consents, signInDeps)
  consoleSignInPages(mountPage, signInDeps)
  devicePages(mountPage, account.deviceApprovals, signInDeps)
  invitePages(mountPage, account.inviteAnswers, account.emails, signInDeps)
}
