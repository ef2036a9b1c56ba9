import type { Database } from '../../../platform/db/database.ts'
import { addressCheck } from '../../../platform/http/address.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { KEY_PROOF } from '../../organizations/policies/key-scopes.ts'
import type { IsAdmin } from '../../users/user.ts'
import { createCaller, parseOrgId } from '../caller.ts'
import { keyError } from './errors.ts'
import { createKeyFinder, touchKey } from './store.ts'
import { isWellFormedKey } from './token.ts'

/** Whom a request with a key acts for. */
export const createKeyAuthentication = (database: Database, isAdmin: IsAdmin) => {
  const findValidKey = createKeyFinder(database)

  const admit = async (
    key: { hash: string } | { id: string },
    namedOrgId: string | null,
    address: () => string,
  ): Promise<Caller> => {
    const found = await findValidKey(key, parseOrgId(namedOrgId))
    if (!found) throw keyError('api_key_invalid')
    if (found.allowedAddresses && !addressCheck(found.allowedAddresses)(address()))
      throw commonError('address_not_allowed')
    if (found.isPaused) throw commonError('credential_paused')
    if (found.isStale) await touchKey(database.db, found.keyId)
    const { user, org, keyId, name, orgId, scopes, facts } = found
    const isForOrg = orgId !== null
    const proof = { ...KEY_PROOF, scopes, isPersonalKey: !isForOrg }
    return createCaller(
      { user, org, sessionId: null, keyId, client: name, isForOrg, scopes, proof, facts },
      isForOrg ? null : namedOrgId,
      isAdmin,
    )
  }

  return {
    /**
     * A key of an organization always acts in it. Another key acts for the user, or in the organization
     * of `X-Org-ID`.
     * @param namedOrgId the value of `X-Org-ID`.
     * @param address gives that of the client.
     * @throws ApiError 401 for a key that is malformed, unknown, revoked or expired, 403 for an
     * organization that the user is not a member of, and for an address that the key does not allow.
     */
    async authenticate(
      key: string,
      namedOrgId: string | null,
      address: () => string,
    ): Promise<Caller> {
      if (!isWellFormedKey(key)) throw keyError('api_key_invalid')
      return admit({ hash: hashSecret(key) }, namedOrgId, address)
    },

    /** The same for the id of a key, of which the caller has a token. @throws ApiError as `authenticate`. */
    callerOf: (id: string, namedOrgId: string | null, address: () => string): Promise<Caller> =>
      admit({ id }, namedOrgId, address),
  }
}
