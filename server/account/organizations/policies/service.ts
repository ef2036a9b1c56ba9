import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { lockOrg } from '../store.ts'
import { checkOrgPolicies } from './check.ts'
import { findAccountFactor, findMemberPolicies, savePolicies } from './store.ts'

/** The policies of organizations. Credentials are held to them also where they cannot be changed. */
export type OrgPolicyService = ReturnType<typeof createOrgPolicyService>

export const createOrgPolicyService = ({ db }: Pick<Database, 'db'>) => ({
  /** Does `checkOrgPolicies`. */
  check: (caller: Caller, orgId: string): Promise<void> => checkOrgPolicies(db, caller, orgId),

  /** @returns undefined for a user who is not a member. */
  find: (orgId: string, userId: string) => findMemberPolicies(db, orgId, userId),

  /** The strongest second factor that a user has set up; null for none. */
  findAccountFactor,

  /** @returns undefined for an organization that does not exist. */
  lockOrg,

  /** Null: none. */
  save: savePolicies,
})
