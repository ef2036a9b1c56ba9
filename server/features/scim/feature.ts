import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as scimRows from '../../../shared/contract/scim.ts'
import * as scimTokenRows from '../../../shared/contract/scim-tokens.ts'
import { tokenFormat } from '../../account/access/keys/token.ts'
import type { AccountServices } from '../../account/account.ts'
import { createIsAdmin } from '../../account/users/user.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { asScimError, isScimPath, notFound } from './errors.ts'
import { createScimGroups } from './groups.ts'
import { createProvisioning } from './provisioning.ts'
import { scimRequests, scimRoutes } from './routes.ts'
import { createScimTokenService, scimTokenRoutes } from './tokens.ts'
import { deleteTokens } from './tokens-store.ts'
import { createScimUsers, scimAccounts } from './users.ts'
import { linkAcceptedAccount } from './users-store.ts'

interface Needs {
  account: Pick<
    AccountServices,
    'registration' | 'emailChanges' | 'sessions' | 'keys' | 'invites' | 'directoryMembers' | 'audit'
  >
}

/** Users and groups that the identity providers of organizations provision (RFC 7643, RFC 7644). */
export const scim = defineOptionalFeature({
  name: 'scim',
  option: 'scim',
  rows: [...endpointsOf(scimRows), ...endpointsOf(scimTokenRows)],
  limits: [scimRequests, scimAccounts],
  onInviteAccepted: linkAcceptedAccount,
  errorFormat: { isAt: isScimPath, notFound, convert: asScimError },
  start({ database, limiter, baseUrl, config }, { account }: Needs) {
    const {
      registration,
      emailChanges,
      sessions,
      keys,
      invites,
      directoryMembers: members,
      audit,
    } = account
    const provisioning = createProvisioning({
      invites,
      members,
      audit,
      assignAddress: emailChanges.assign,
      isAdmin: createIsAdmin(config.adminEmails),
      register: (tx, email) =>
        registration.register(
          tx,
          { email, emailVerified: true, passwordHash: null },
          'operator',
          undefined,
        ),
      async endAccess(tx, userId) {
        await keys.revokeAll(tx, userId)
        await sessions.endAll(tx, userId)
      },
    })
    return {
      tokens: createScimTokenService(database, {
        format: tokenFormat('svc_scim_'),
        audit,
        baseUrl,
      }),
      users: createScimUsers({ database, limiter, provisioning, baseUrl }),
      groups: createScimGroups(database, provisioning, baseUrl),
    }
  },
  endings: () => ({ releasedOrg: [{ run: deleteTokens }] }),
  serve({ mount, mountRaw, baseUrl, http: { limiter } }, scim) {
    scimTokenRoutes(mount, scim.tokens)
    scimRoutes(mountRaw, { ...scim, limiter, baseUrl })
  },
})
