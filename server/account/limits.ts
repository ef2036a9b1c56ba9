import { authLimit } from '../platform/http/limits.ts'
import { deviceCodesPerAddress, deviceCodesPerUser } from './access/device/approval.ts'
import { deviceLoginLimit } from './access/device/service.ts'
import { clientSecretLimit } from './access/oauth-server/client-credentials.ts'
import { clientDocumentLimit } from './access/oauth-server/clients.ts'
import { authorizedAppLimit } from './access/oauth-server/consent.ts'
import { clientRegistrationLimit } from './access/oauth-server/registration.ts'
import { domainChecksPerUser } from './organizations/domains/service.ts'
import { invitesPerRecipient, invitesPerUser } from './organizations/invites/service.ts'
import { emailLinkLimit } from './sign-in/links/service.ts'
import { passkeySignInLimit } from './sign-in/passkeys/sign-in.ts'
import { passwordCheckLimit } from './users/passwords.ts'

/** The rate limits of accounts. */
export const accountLimits = [
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
