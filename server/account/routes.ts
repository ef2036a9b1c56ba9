import type { Serving } from '../feature.ts'
import type { Limiter } from '../platform/http/limits.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import { deviceRoutes } from './access/device/approval.ts'
import { keyRoutes } from './access/keys/service.ts'
import { allowedClientRoutes } from './access/oauth-server/allowed-clients.ts'
import { consentRoutes } from './access/oauth-server/app-consents.ts'
import { appRoutes } from './access/oauth-server/grants.ts'
import { oauthServerRoutes } from './access/oauth-server/routes.ts'
import { sessionRoutes } from './access/sessions/list.ts'
import { keySetRoutes } from './access/signing-keys/key-set.ts'
import type { AccountServices } from './account.ts'
import { orgDomainRoutes } from './organizations/domains/service.ts'
import { inviteRoutes } from './organizations/invites/acceptance.ts'
import { orgMemberRoutes } from './organizations/members.ts'
import { orgRoutes } from './organizations/service.ts'
import { consoleSignInPages } from './pages/console-sign-in.ts'
import { devicePages } from './pages/device.ts'
import { emailChangePages } from './pages/email-change.ts'
import { emailVerificationPages } from './pages/email-verification.ts'
import { firstAdminPages } from './pages/first-admin.ts'
import { invitePages } from './pages/invite.ts'
import { mailedCodePages } from './pages/mailed-code.ts'
import { oauthServerPages } from './pages/oauth-consent.ts'
import { oauthSignInPages } from './pages/oauth-sign-in.ts'
import { passwordPages } from './pages/password-reset.ts'
import { emailChangeRoutes } from './sign-in/email-change.ts'
import { emailVerificationRoutes } from './sign-in/email-verification.ts'
import { handoffRoutes } from './sign-in/handoff/service.ts'
import { mailedCodeRoutes } from './sign-in/mailed-codes/service.ts'
import { mfaRoutes } from './sign-in/mfa/service.ts'
import { backchannelLogoutRoute } from './sign-in/oauth/backchannel-logout.ts'
import { oauthSignInRoutes } from './sign-in/oauth/service.ts'
import { passkeyRoutes } from './sign-in/passkeys/service.ts'
import { passkeySignInRoutes } from './sign-in/passkeys/sign-in.ts'
import { passwordRoutes } from './sign-in/password.ts'
import { signInRoutes } from './sign-in/service.ts'
import { auditRoutes } from './users/audit/service.ts'
import { profileRoutes } from './users/profile/service.ts'
import { instructionRoutes, preferenceRoutes } from './users/settings/service.ts'
import { viewRoutes } from './users/views/service.ts'

export const serveAccount = (serving: Serving, account: AccountServices): void => {
  mountEndpoints(serving, account)
  mountPages(serving, account, serving.http.limiter)
}

const mountEndpoints = ({ mount, mountRaw, baseUrl }: Serving, account: AccountServices): void => {
  signInRoutes(mount, account.registration, account.signIns, account.signUpPolicy)
  sessionRoutes(mount, account.sessions, account.sessionList, account.providerSessions)
  mfaRoutes(mount, account.mfa)
  passkeyRoutes(mount, account.passkeys)
  passkeySignInRoutes(mount, account.passkeySignIns)
  auditRoutes(mount, account.audit)
  passwordRoutes(mount, account.passwords)
  mailedCodeRoutes(mount, account.mailedCodes)
  emailVerificationRoutes(mount, account.emails)
  emailChangeRoutes(mount, account.emailChanges)
  keyRoutes(mount, account.keys)
  deviceRoutes(mount, account.deviceLogins, account.deviceApprovals)
  handoffRoutes(mount, account.handoffs)
  oauthSignInRoutes(mount, account.oauth, account.connections, account.listOAuthProviders)
  backchannelLogoutRoute(mountRaw, account.backchannelLogout)
  profileRoutes(mount, account.profiles)
  preferenceRoutes(mount, account.preferences)
  viewRoutes(mount, account.views)
  instructionRoutes(mount, account.instructions)
  orgRoutes(mount, account.orgs)
  orgMemberRoutes(mount, account.orgMembers)
  orgDomainRoutes(mount, account.orgDomains)
  inviteRoutes(mount, account.invites, account.inviteAcceptance)
  appRoutes(mount, account.apps)
  keySetRoutes(mountRaw, account.keyring)
  allowedClientRoutes(mount, account.allowedClients)
  consentRoutes(mount, account.appConsents)
  oauthServerRoutes(mountRaw, account, baseUrl)
}

const mountPages = (mounts: Mounts, account: AccountServices, limiter: Limiter): void => {
  const { mountPage } = mounts
  const { registration, signIns, passkeySignIns, mailedCodes, sessions, authentication } = account
  const signInDeps = {
    registration,
    signUpPolicy: account.signUpPolicy,
    signIns,
    passkeySignIns,
    mailedCodes,
    offersCodes: account.sendsMail,
    sessions,
    authentication,
    limiter,
    listProviders: account.listOAuthProviders,
  }
  passwordPages(mountPage, account.passwords, limiter)
  mailedCodePages(mountPage, account.mailedCodes, limiter)
  emailVerificationPages(mountPage, account.emails)
  emailChangePages(mountPage, account.emailChanges)
  firstAdminPages(mountPage, account.admin, signInDeps)
  oauthSignInPages(mountPage, account.oauth, signIns, passkeySignIns)
  oauthServerPages(mounts, account.consents, signInDeps)
  consoleSignInPages(mountPage, signInDeps)
  devicePages(mountPage, account.deviceApprovals, signInDeps)
  invitePages(mountPage, account.inviteAcceptance, account.emails, signInDeps)
}
