import { NO_POLICIES } from '../../../../shared/contract/organization-policies.ts'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import { httpError } from '../../../platform/http/error.ts'
import { refusalOf, shortfallOf } from './shortfall.ts'
import { findKeyScopes } from './store.ts'

/** An API key has no sign-in. */
export const KEY_PROOF = {
  kind: 'key' as const,
  method: null,
  secondFactor: null,
  signedInAt: new Date(0),
}

/**
 * A new key for an organization has the scopes that its policies allow, unless it asks for fewer.
 * @param scopes null: all that are allowed.
 * @throws ApiError 403 `org_policy` for more.
 */
export const scopesWithin = async (
  tx: Db,
  orgId: string | null,
  scopes: Scope[] | null,
): Promise<Scope[] | null> => {
  const org = orgId ? await findKeyScopes(tx, orgId) : undefined
  if (!org?.keyScopes) return scopes
  const proof = { ...KEY_PROOF, scopes: scopes ?? org.keyScopes }
  const policies = { ...NO_POLICIES, key_scopes: org.keyScopes }
  const missing = shortfallOf({ policies, accountFactor: null }, proof)
  if (missing.length) throw httpError('org_policy', refusalOf(org, missing))
  return proof.scopes
}
