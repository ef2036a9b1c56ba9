import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Email domains of one organization. */
export const MAX_ORG_DOMAINS = 20

const joins = {
  description:
    'Whether users with a verified address at exactly this domain join as member, without an invite, once the domain is verified.',
}

export const OrgDomain = Type.Object(
  {
    id: Uuid(),
    domain: Type.String({ description: 'In lower case and ASCII (an internationalized one too).' }),
    joins: Type.Boolean(joins),
    record: Type.Object(
      { name: Type.String(), type: Type.Literal('TXT'), value: Type.String() },
      { description: 'The DNS record that verifies the domain. It must stay.' },
    ),
    verified_at: Nullable(Timestamp(), {
      description: 'Null while the record was not found, and after the verification has ended.',
    }),
    checked_at: Nullable(Timestamp(), { description: 'When the record was last looked for.' }),
    missing_since: Nullable(Timestamp(), {
      description:
        'When a daily check first found no record of the verified domain; the verification ends seven days later.',
    }),
    created_at: Timestamp(),
  },
  { $id: 'OrgDomain' },
)
export type OrgDomain = Static<typeof OrgDomain>

export const CreateOrgDomain = Type.Object({
  domain: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 253,
    description: 'The part of the addresses after the @. Public email providers are refused.',
    examples: ['acme-analytics.com'],
  }),
  joins: withDefault(Type.Boolean(joins), false),
})
export type CreateOrgDomain = Static<typeof CreateOrgDomain>

export const UpdateOrgDomain = Type.Object({ joins: Type.Boolean({ ...joins, examples: [true] }) })
export type UpdateOrgDomain = Static<typeof UpdateOrgDomain>

const tag = 'Organizations'
const path = '/api/orgs/{org_id}/domains'
const params = Type.Object({ org_id: Uuid() })
const domainPath = '/api/orgs/{org_id}/domains/{domain_id}'
const domainParams = Type.Object({ org_id: Uuid(), domain_id: Uuid() })
const notAllowed = ['not_org_member', 'org_manager_required']

export const listOrgDomains = endpoint({
  name: 'listOrgDomains',
  method: 'GET',
  path,
  tag,
  summary: 'List the email domains of an organization (owners and admins)',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, Type.Array(OrgDomain)],
  errors: { 403: notAllowed },
})

export const createOrgDomain = endpoint({
  name: 'createOrgDomain',
  method: 'POST',
  path,
  tag,
  summary: 'Add an email domain; the response has the DNS record that verifies it',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: CreateOrgDomain,
  success: [201, OrgDomain],
  affects: ['listOrgDomains'],
  errors: { 403: notAllowed, 409: ['org_domain_exists', 'cap_reached'] },
})

export const verifyOrgDomain = endpoint({
  name: 'verifyOrgDomain',
  queue: 'slow',
  method: 'POST',
  path: `${domainPath}/verify`,
  tag,
  summary: 'Look for the DNS record of an email domain now',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: domainParams,
  success: [200, OrgDomain],
  affects: ['listOrgDomains'],
  errors: {
    403: notAllowed,
    404: ['org_domain_not_found'],
    409: ['org_domain_record_missing', 'org_domain_verified_elsewhere'],
    429: ['domain_checks_rate_limited'],
    502: ['org_domain_lookup_failed'],
  },
})

export const updateOrgDomain = endpoint({
  name: 'updateOrgDomain',
  method: 'PATCH',
  path: domainPath,
  tag,
  summary: 'Set whether users with an address at an email domain join by themselves',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: domainParams,
  body: UpdateOrgDomain,
  success: [200, OrgDomain],
  affects: ['listOrgDomains'],
  errors: { 403: notAllowed, 404: ['org_domain_not_found'] },
})

export const deleteOrgDomain = endpoint({
  name: 'deleteOrgDomain',
  method: 'DELETE',
  path: domainPath,
  tag,
  summary: 'Remove an email domain; members who joined by it stay',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params: domainParams,
  success: [204, null],
  affects: ['listOrgDomains'],
  errors: { 403: notAllowed, 404: ['org_domain_not_found'] },
})
