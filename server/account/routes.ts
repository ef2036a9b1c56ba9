import type { Limits } from '../platform/http/limits.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import type { Account } from './account.ts'
import { adminPages } from './admin/pages.ts'
import { auditRoutes } from './audit/routes.ts'
import { authorizationPages } from './authorization/pages.ts'
import { authorizationRoutes } from './authorization/routes.ts'
import { devicePages } from './device/pages.ts'
import { deviceRoutes } from './device/routes.ts'
import { emailPages } from './email/pages.ts'
import { emailRoutes } from './email/routes.ts'
import { handoffRoutes } from './handoff/routes.ts'
import { instructionRoutes } from './instructions/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { mfaRoutes } from './mfa/routes.ts'
import { oauthPages } from './oauth/pages.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { passwordPages } from './password/pages.ts'
import { passwordRoutes } from './password/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const serveAccount = (
  { mount, mountPage, mountRaw }: Mounts,
  account: Account,
  { baseUrl, mcpUrl, limits }: { baseUrl: string; mcpUrl: string; limits: Limits },
): void => {
  const { sessions, oauth, authorization } = account
  sessionRoutes(mount, sessions, account.sessionList)
  mfaRoutes(mount, account.mfa, sessions)
  auditRoutes(mount, account.audit)
  passwordRoutes(mount, account.passwords)
  emailRoutes(mount, account.emails)
  keyRoutes(mount, account.keys)
  deviceRoutes(mount, account.devices)
  handoffRoutes(mount, account.handoffs)
  oauthRoutes(mount, oauth)
  profileRoutes(mount, account.profiles)
  preferenceRoutes(mount, account.preferences)
  instructionRoutes(mount, account.instructions)
  authorizationRoutes(mountRaw, authorization, { baseUrl, resource: mcpUrl })

  passwordPages(mountPage, account.passwords, limits)
  emailPages(mountPage, account.emails)
  adminPages(mountPage, account.admin, sessions, limits)
  oauthPages(mountPage, oauth, sessions)
  authorizationPages(mountPage, authorization, sessions, limits, oauth)
  devicePages(mountPage, account.devices, sessions, limits, oauth)
}
