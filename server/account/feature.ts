import { defineFeature } from '../feature.ts'
import { authLimit } from '../platform/http/limits.ts'
import { deviceCodesPerAddress, deviceCodesPerUser } from './access/device/approval.ts'
import { deviceLoginLimit } from './access/device/service.ts'
import { clientSecretLimit } from './access/oauth-server/client-credentials.ts'
import { clientDocumentLimit } from './access/oauth-server/clients.ts'
import { authorizedAppLimit } from './access/oauth-server/consent.ts'
import { clientRegistrationLimit } from './access/oauth-server/registration.ts'
import { sealedSigningKeys } from './access/signing-keys/table.ts'
import { type AccountServices, startAccount } from './account.ts'
import { recordAccountActivity } from './activity/account-events.ts'
import type { ActivityService } from './activity/service.ts'
import { domainChecksPerUser } from './organizations/domains/service.ts'
import { invitesPerRecipient, invitesPerUser } from './organizations/invites/service.ts'
import { deleteOpenInvites } from './organizations/invites/store.ts'
import { accountRetention } from './retention.ts'
import { serveAccount } from './routes.ts'
import { emailLinkLimit } from './sign-in/links/service.ts'
import { sealedMfaSecrets } from './sign-in/mfa/table.ts'
import { sealedIdTokens } from './sign-in/oauth/table.ts'
import { passkeySignInLimit } from './sign-in/passkeys/sign-in.ts'
import { onAudit } from './users/audit/service.ts'
import { createDeletionService, deletionRoutes } from './users/deletion.ts'
import { emitEvents } from './users/events/service.ts'
import { sealedEventSecrets } from './users/events/table.ts'
import { passwordCheckLimit } from './users/passwords.ts'
import { avatarBlobs } from './users/profile/avatars.ts'

/** The rate limits of accounts. */
const accountLimits = [
  authLimit,
  passwordCheckLimit,
  invitesPerRecipient,
  invitesPerUser,
  domainChecksPerUser,
  deviceCodesPerUser,
  deviceCodesPerAddress,
  deviceLoginLimit,
  clientRegistrationLimit,
  authorizedAppLimit,
  clientDocumentLimit,
  clientSecretLimit,
  emailLinkLimit,
  passkeySignInLimit,
]

/** Users with their sessions, keys and ways to sign in, organizations, and the apps that they allow. */
export const account = defineFeature({
  name: 'account',
  blobs: [avatarBlobs],
  limits: accountLimits,
  sealed: [sealedMfaSecrets, sealedIdTokens, sealedEventSecrets, sealedSigningKeys],
  retention: () => accountRetention,
  async start(core, { activity }: { activity: Pick<ActivityService, 'record'> }) {
    const account = await startAccount(core)
    const recordEntry = recordAccountActivity(activity.record)
    for (const { db } of [core.database, core.database.background, core.database.bulk])
      onAudit(db, recordEntry)
    return account
  },
  endings: ({ leaveOrgs, profiles, audit, guard, passwords, mailedCodes }) => ({
    releasedOrg: [{ run: deleteOpenInvites }],
    takeOver: [{ run: profiles.erase }],
    user: [{ locks: 'orgs', run: leaveOrgs }, { run: (tx, { id }) => profiles.erase(tx, id) }],
    deletedUser: [
      { run: (tx, { id }) => emitEvents(tx, [{ type: 'user.deleted', userId: id }]) },
      { run: (tx, { id }) => audit.erase(tx, id) },
      { run: (tx, { email }) => guard.clear(email, tx) },
      { run: (tx, { email }) => passwords.forget(email, tx) },
      { run: (tx, { email }) => mailedCodes.forget(email, tx) },
    ],
  }),
  serve: (serving, account) => serveAccount(serving, account),
  begin({ keyring }, { duties }) {
    if (duties.servesApi) keyring.begin()
  },
  close: ({ keyring }) => [{ name: 'signing keys', stop: keyring.close }],
})

/** The deletion of accounts, with what every feature keeps of them. */
export const deletion = defineFeature({
  name: 'deletion',
  start: (
    { database, limiter, endings },
    { account }: { account: Pick<AccountServices, 'hashes'> },
  ) =>
    createDeletionService(database, account.hashes, limiter, {
      before: endings.user,
      after: endings.deletedUser,
    }),
  endings: (_, { mailer }) => ({
    deletedUser: [{ run: (tx, { email }) => mailer.forget(email, tx) }],
  }),
  serve: ({ mount }, deletion) => deletionRoutes(mount, deletion),
})
