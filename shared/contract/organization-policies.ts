import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Uuid } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { OAUTH_PROVIDERS } from './oauth-sign-in.ts'
import { SCOPES } from './scopes.ts'

/** The sign-in methods beside providers. No OpenID provider has such a name. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'email_code'] as const

export const SECOND_FACTORS = ['none', 'any', 'passkey'] as const

/** The descriptions of the fields. */
export const aboutPolicies = {
  second_factor:
    '`any`: a code of an authenticator app or a passkey; `passkey`: a passkey only, alone or after a password.',
  providers: `The methods to sign in with: ${[...SIGN_IN_METHODS, ...OAUTH_PROVIDERS].join(', ')}, or the name of a configured OpenID provider; null: all.`,
  session_hours:
    'How long after the sign-in a session may use the organization; null: until it ends.',
  managed_sign_in:
    'The providers that open the accounts which SCIM created at a verified domain, by their address and without a step of the user; null: none. Only owners change it.',
  key_scopes:
    'The scopes that API keys and authorized apps may have in the organization; null: all.',
}

export const OrgPolicies = Type.Object({
  second_factor: OneOf(SECOND_FACTORS, { description: aboutPolicies.second_factor }),
  providers: Nullable(Type.Array(Type.String()), { description: aboutPolicies.providers }),
  session_hours: Nullable(Type.Integer(), { description: aboutPolicies.session_hours }),
  key_scopes: Nullable(Type.Array(OneOf(SCOPES)), { description: aboutPolicies.key_scopes }),
  managed_sign_in: Nullable(Type.Array(Type.String()), {
    description: aboutPolicies.managed_sign_in,
  }),
})
export type OrgPolicies = Static<typeof OrgPolicies>

export const NO_POLICIES: OrgPolicies = {
  second_factor: 'none',
  providers: null,
  session_hours: null,
  key_scopes: null,
  managed_sign_in: null,
}

const POLICY_ACTIONS = [
  'add_second_factor',
  'add_passkey',
  'use_second_factor',
  'use_passkey',
  'use_provider',
  'sign_in_again',
  'narrow_scopes',
  'use_org_key',
] as const

/** One thing that a credential lacks for an organization. */
export const PolicyShortfall = Type.Object(
  {
    policy: OneOf(['second_factor', 'providers', 'session_hours', 'key_scopes']),
    action: OneOf(POLICY_ACTIONS, { description: 'What the user does about it.' }),
    allowed: Type.Optional(
      Type.Array(Type.String(), { description: 'The allowed sign-in methods or scopes.' }),
    ),
    message: Type.String({ description: 'The same in words.' }),
  },
  { $id: 'PolicyShortfall' },
)
export type PolicyShortfall = Static<typeof PolicyShortfall>

export const missing = Type.Array(PolicyShortfall, {
  description: 'The things that this session or key lacks for the policies of the organization.',
})

/** The detail of a 403 for a credential that falls short of the policies of an organization. */
export const OrgPolicyRefusal = Type.Object({
  error: Type.Literal('org_policy'),
  message: Type.String(),
  org_id: Uuid(),
  missing,
})
export type OrgPolicyRefusal = Static<typeof OrgPolicyRefusal>

/** Endpoints of these tags read or write the memory of the organization that a request acts in. */
const TAGS_IN_ORG: readonly string[] = [
  ...['Memory', 'Capture', 'Identity', 'Introspection', 'Proactive', 'Activity'],
  ...['Conversation', 'Agents'],
]

/** Whether a request uses the organization that it acts in. Others are of the account itself. */
export const actsInOrg = ({ tag }: Pick<Endpoint, 'tag'>): boolean => TAGS_IN_ORG.includes(tag)

/** Members may use these without meeting the policies, to learn of them. */
const OPEN_IN_ORG: readonly string[] = ['getOrg', 'getOrgPolicies', 'updateOrgPolicies']

/** Whether a request uses the organization of its path. */
export const usesOrg = ({ name, path }: Pick<Endpoint, 'name' | 'path'>): boolean =>
  path.startsWith('/api/orgs/{org_id}') && !OPEN_IN_ORG.includes(name)
