import type { Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { httpError } from '../../../platform/http/error.ts'
import { refusalOf, shortfallOf } from './shortfall.ts'
import { findMemberPolicies, listMemberPolicies } from './store.ts'

/**
 * Compares the credential of a caller with the policies of an organization, for a request that uses it, and for
 * one that creates another credential of it.
 * @throws ApiError 403 `org_policy` if there is something. Does nothing for a caller who is not a member.
 */
export const checkOrgPolicies = async (db: Db, caller: Caller, orgId: string): Promise<void> => {
  const found = await findMemberPolicies(db, orgId, caller.userId)
  const missing = found ? shortfallOf(found, caller.proof) : []
  if (found && missing.length) throw httpError('org_policy', refusalOf(found.org, missing))
}

/**
 * Checks that a session may change the second factors of its account. One that an organization refuses until it
 * uses the present factor may not: a person who knows the password would get in by a factor of their own.
 * @throws ApiError 403 `org_policy`.
 */
export const checkFactorUsed = async (
  db: Db,
  { userId, proof }: Pick<Caller, 'userId' | 'proof'>,
): Promise<void> => {
  for (const { org, ...facts } of await listMemberPolicies(db, userId)) {
    const missing = shortfallOf(facts, proof).filter(
      ({ action }) => action === 'use_passkey' || action === 'use_second_factor',
    )
    if (missing.length) throw httpError('org_policy', refusalOf(org, missing))
  }
}
