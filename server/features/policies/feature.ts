import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as policyRows from '../../../shared/contract/policies.ts'
import type { AccountServices } from '../../account/account.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { createPolicyManagement, policyRoutes } from './service.ts'

/** How organizations set what credentials need. Those that are set hold also without it. */
export const policies = defineOptionalFeature({
  name: 'policies',
  option: 'policies',
  rows: endpointsOf(policyRows),
  start: (
    { database },
    { account }: { account: Pick<AccountServices, 'orgPolicies' | 'listOAuthProviders'> },
  ) =>
    createPolicyManagement({
      database,
      orgPolicies: account.orgPolicies,
      listProviders: account.listOAuthProviders,
    }),
  serve: ({ mount }, policies) => policyRoutes(mount, policies),
})
