import { getOrgPolicies, updateOrgPolicies } from '../../../shared/contract/index.ts'
import {
  NO_POLICIES,
  type OrgPolicies,
  type PolicyShortfall,
  SIGN_IN_METHODS,
} from '../../../shared/contract/organization-policies.ts'
import type { OrgPoliciesView, UpdateOrgPolicies } from '../../../shared/contract/policies.ts'
import { checkOrgPolicies } from '../../account/organizations/policies/check.ts'
import type { OrgPolicyService } from '../../account/organizations/policies/service.ts'
import { shortfallOf, wordsOf } from '../../account/organizations/policies/shortfall.ts'
import {
  checkKeyScope,
  checkManager,
  checkOwner,
  lockOrgAsMember,
  recordOrgAudit,
} from '../../account/organizations/rights.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { commonError, defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'

const orgPolicyError = defineErrors({
  org_policy_provider_unknown: (field: 'providers' | 'managed_sign_in', index: number) => ({
    status: 422,
    detail: [
      {
        loc: ['body', field, index],
        type: 'value_error',
        msg: 'This server offers no such sign-in method',
      },
    ],
  }),
  org_policy_locks_out: (words: string) => ({
    status: 409,
    detail: `This change would lock you out of the organization. ${words}`,
  }),
})

/** A method that users may sign in with. */
interface Method {
  name: string
  label: string
}

interface PolicyManagementDeps {
  database: Database
  orgPolicies: OrgPolicyService
  /** The configured providers. */
  listProviders: () => Method[]
}

/** Shows the policies of organizations, and changes them. */
export type PolicyManagement = ReturnType<typeof createPolicyManagement>

const LABELS: Record<(typeof SIGN_IN_METHODS)[number], string> = {
  password: 'Password',
  passkey: 'Passkey',
  email_code: 'Code or link by email',
}

export const createPolicyManagement = ({
  database: { db },
  orgPolicies,
  listProviders,
}: PolicyManagementDeps) => {
  const methods = (): Method[] => [
    ...SIGN_IN_METHODS.map((name) => ({ name, label: LABELS[name] })),
    ...listProviders().map(({ name, label }) => ({ name, label })),
  ]

  const present = (policies: OrgPolicies | null, missing: PolicyShortfall[]): OrgPoliciesView => ({
    ...NO_POLICIES,
    ...policies,
    missing,
    sign_in_methods: methods(),
  })

  const save = async (
    tx: Db,
    caller: Caller,
    orgId: string,
    policies: OrgPolicies,
  ): Promise<void> => {
    await orgPolicies.save(tx, orgId, isDefault(policies) ? null : policies)
    await recordOrgAudit(tx, 'org.policies_changed', orgId, {
      by: caller.userId,
      details: {
        second_factor: policies.second_factor,
        providers: policies.providers?.join(' ') ?? 'all',
        session_hours: String(policies.session_hours ?? 'any'),
        key_scopes: policies.key_scopes?.join(' ') ?? 'all',
        managed_sign_in: policies.managed_sign_in?.join(' ') ?? 'none',
      },
    })
  }

  /** Changes the policies as an owner or admin, whom the new ones must not lock out. */
  const change = async (
    tx: Db,
    caller: Caller,
    orgId: string,
    policies: OrgPolicies,
  ): Promise<void> => {
    const accountFactor = await orgPolicies.findAccountFactor(tx, caller.userId)
    const missing = shortfallOf({ policies, accountFactor }, caller.proof)
    if (missing.length) throw orgPolicyError('org_policy_locks_out', wordsOf(missing))
    await save(tx, caller, orgId, policies)
  }

  return {
    /** @throws ApiError 403 for a caller who is not a member. */
    async get(caller: Caller, orgId: string): Promise<OrgPoliciesView> {
      checkKeyScope(caller, orgId)
      const found = await orgPolicies.find(orgId, caller.userId)
      if (!found) throw commonError('not_org_member')
      return present(found.policies, shortfallOf(found, caller.proof))
    },

    /**
     * Owners and admins are held to the policies when they change them. An admin of the server may only end
     * policies, of any organization.
     * @throws ApiError 403 for others and for a caller who falls short, 409 for a change that the caller would
     * fall short of, 422 for a sign-in method that the server does not offer.
     */
    async update(caller: Caller, orgId: string, body: UpdateOrgPolicies): Promise<OrgPoliciesView> {
      checkKnown('providers', body.providers, methods())
      checkKnown('managed_sign_in', body.managed_sign_in, listProviders())
      return db.transaction(async (tx) => {
        if (isServerAdmin(caller) && onlyEnds(body)) {
          const org = await orgPolicies.lockOrg(tx, orgId)
          if (!org) throw commonError('not_org_member')
          const policies = { ...NO_POLICIES, ...org.policies, ...body }
          await save(tx, caller, orgId, policies)
          return present(policies, [])
        }
        const { org, role } = await lockOrgAsMember(tx, caller, orgId)
        checkManager(role)
        // It opens accounts of others, the owners' too.
        if (body.managed_sign_in !== undefined) checkOwner(role)
        await checkOrgPolicies(tx, caller, orgId)
        const policies = { ...NO_POLICIES, ...org.policies, ...body }
        await change(tx, caller, orgId, policies)
        return present(policies, [])
      })
    },
  }
}

const isServerAdmin = ({ me, isForOrg, isApp }: Caller): boolean =>
  me.is_admin && !isForOrg && !isApp && !me.impersonation

/** @throws ApiError 422 for the first name that the server does not offer. */
const checkKnown = (
  field: 'providers' | 'managed_sign_in',
  names: readonly string[] | null | undefined,
  offered: readonly Method[],
): void => {
  const index = names?.findIndex((each) => !offered.some(({ name }) => name === each)) ?? -1
  if (index >= 0) throw orgPolicyError('org_policy_provider_unknown', field, index)
}

const isDefault = (policies: UpdateOrgPolicies): boolean =>
  Object.entries(policies).every(
    ([name, value]) => value === undefined || value === NO_POLICIES[name as keyof OrgPolicies],
  )

/** Whether a change names policies, and ends each. */
const onlyEnds = (body: UpdateOrgPolicies): boolean =>
  Object.keys(body).length > 0 && isDefault(body)

export const policyRoutes = (mount: Mount, policies: PolicyManagement): void => {
  mount(getOrgPolicies, ({ caller, params }) => policies.get(caller, params.org_id))
  mount(updateOrgPolicies, ({ caller, params, body }) =>
    policies.update(caller, params.org_id, body),
  )
}
