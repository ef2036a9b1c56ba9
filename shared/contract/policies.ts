import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { aboutPolicies, missing, OrgPolicies, SECOND_FACTORS } from './organization-policies.ts'
import { Scopes } from './scopes.ts'

/** A year. */
const MAX_SESSION_HOURS = 8_760
const MAX_PROVIDERS = 50

export const OrgPoliciesView = Type.Object(
  {
    ...OrgPolicies.properties,
    missing,
    sign_in_methods: Type.Array(Type.Object({ name: Type.String(), label: Type.String() }), {
      description: 'The methods that this server offers.',
    }),
  },
  { $id: 'OrgPolicies' },
)
export type OrgPoliciesView = Static<typeof OrgPoliciesView>

const ProviderNames = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: 30 }), {
    minItems: 1,
    maxItems: MAX_PROVIDERS,
    uniqueItems: true,
  })

export const UpdateOrgPolicies = Type.Partial(
  Type.Object({
    second_factor: OneOf(SECOND_FACTORS, { description: aboutPolicies.second_factor }),
    providers: Nullable(ProviderNames(), { description: aboutPolicies.providers }),
    session_hours: Nullable(Type.Integer({ minimum: 1, maximum: MAX_SESSION_HOURS }), {
      description: aboutPolicies.session_hours,
    }),
    key_scopes: Nullable(Scopes(), { description: aboutPolicies.key_scopes }),
    managed_sign_in: Nullable(ProviderNames(), { description: aboutPolicies.managed_sign_in }),
  }),
  { examples: [{ session_hours: 720 }] },
)
export type UpdateOrgPolicies = Static<typeof UpdateOrgPolicies>

const tag = 'Organizations'
const path = '/api/orgs/{org_id}/policies'
const params = Type.Object({ org_id: Uuid() })

export const getOrgPolicies = endpoint({
  name: 'getOrgPolicies',
  method: 'GET',
  path,
  tag,
  summary: 'Get the policies of an organization, and what this session or key lacks for them',
  credential: 'bearer',
  params,
  success: [200, OrgPoliciesView],
  errors: { 403: ['not_org_member'] },
})

export const updateOrgPolicies = endpoint({
  name: 'updateOrgPolicies',
  method: 'PATCH',
  path,
  tag,
  summary:
    'Change the policies of an organization (owners and admins); an admin of the server may end them',
  credential: 'jwt',
  params,
  body: UpdateOrgPolicies,
  success: [200, OrgPoliciesView],
  affects: ['getOrgPolicies', 'listOrgs', 'getOrg', 'me'],
  errors: {
    403: ['not_org_member', 'org_manager_required', 'org_owner_required', 'org_policy'],
    409: ['org_policy_locks_out'],
  },
})
